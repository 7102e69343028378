import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { change, step } from '../../src/core/change.ts'
import { openTestPanel, type TestPanel } from '../support/panel.ts'
import { stepsWithoutUndo } from './exceptions.ts'
import { root } from './sources.ts'

/** The kinds of steps that can be reached from a value, by name. */
function stepKindsIn(value: unknown, seen = new Set<unknown>()): readonly string[] {
  if (value === null || typeof value !== 'object' || seen.has(value)) return []
  seen.add(value)
  const { name, act, undo } = value as { name?: unknown; act?: unknown; undo?: unknown }
  if (typeof name === 'string' && typeof act === 'function' && typeof undo === 'function') return [name]
  return Object.values(value).flatMap((below) => stepKindsIn(below, seen))
}

/** The versions of a tool have the same kinds: the proof of one, such as `php-fpm@8.2.write-pools`, is one of all. */
const withoutVersion = (name: string) => name.replace(/@.+(?=\.)/, '')

/** The kinds that these sources prove at their top level, which every run of the file executes. */
const provedIn = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/^proveStep(?:<[^(]+>)?\(\s*'([\w.@-]+)'/gm)].map(([, name = '']) =>
        withoutVersion(name),
      ),
    ),
  )

const testSources = (): readonly string[] =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(root, 'src', name), 'utf8'))

describe('step kinds', () => {
  let panel: TestPanel
  before(async () => void (panel = await openTestPanel()))
  after(() => panel.close())

  const contexts = () => new Map(panel.routes.map(({ area, context }) => [area, context]))
  const registered = () =>
    [
      panel.executor.provisional.endStep,
      ...panel.tools.steps,
      ...[...contexts()].flatMap(([area, context]) => area.steps?.(context) ?? []),
    ].map(({ name }) => name)

  it('are found wherever a context has them', () => {
    const kind = { name: 'shop.open', act: () => {}, undo: () => {} }
    assert.deepEqual(stepKindsIn({ shop: { steps: { open: kind }, all: [kind] } }), ['shop.open'])
    assert.ok([...contexts().values()].flatMap((context) => stepKindsIn(context)).length >= 20)
  })

  it('that an area uses are registered, so that a stopped panel can settle them', () => {
    const known = registered()
    const missing = [...contexts()].flatMap(([area, context]) =>
      stepKindsIn(context)
        .filter((name) => !known.includes(name))
        .map((name) => `${area.name}: ${name} is not in steps`),
    )
    assert.deepEqual(missing, [])
  })

  it('act only as the panel has registered them', async () => {
    const { writeSites } = panel.tools.nginx.steps
    assert.equal(panel.steps.get(writeSites.name), writeSites)
    const twin = change({
      summary: 'Serve nothing',
      steps: [step({ ...writeSites }, { sites: [] })],
      reply: null,
    })
    await assert.rejects(
      panel.executor.plan(async () => twin),
      /nginx\.write-sites is not registered/,
    )
  })

  it('are proved, each by the suite of the steps', () => {
    const proved = provedIn(testSources())
    const known = registered()
    assert.deepEqual(
      known.filter((name) => !proved.has(withoutVersion(name))),
      [],
      'add proveStep(name, …) beside the kind',
    )
    for (const name of Object.keys(stepsWithoutUndo))
      assert.ok(known.includes(name), `${name} is no kind any more`)
  })

  it('that keep no way back say why a settled change with them is not undone by id', () => {
    const silent = Object.keys(stepsWithoutUndo).filter(
      (name) => panel.steps.get(name)?.notUndone === undefined,
    )
    assert.deepEqual(silent, [])
  })

  it('are not proved by a comment or by a name that is not written out', () => {
    const text = "// proveStep('a.b', {\nproveStep<Machine>('c.d', {\nproveStep(name, {\n  proveStep('e.f', {"
    assert.deepEqual([...provedIn([text])], ['c.d'])
  })

  it('have a name of their own', () => {
    const known = registered()
    assert.deepEqual(
      known.filter((name, index) => known.indexOf(name) !== index),
      [],
    )
  })
})
