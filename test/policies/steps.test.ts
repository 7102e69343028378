import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { change, step } from '../../src/core/change.ts'
import { openTestPanel, type TestPanel } from '../support/panel.ts'

/** The kinds of steps that can be reached from a value, by name. */
function stepKindsIn(value: unknown, seen = new Set<unknown>()): readonly string[] {
  if (value === null || typeof value !== 'object' || seen.has(value)) return []
  seen.add(value)
  const { name, act, undo } = value as { name?: unknown; act?: unknown; undo?: unknown }
  if (typeof name === 'string' && typeof act === 'function' && typeof undo === 'function') return [name]
  return Object.values(value).flatMap((below) => stepKindsIn(below, seen))
}

describe('step kinds', () => {
  let panel: TestPanel
  before(async () => void (panel = await openTestPanel()))
  after(() => panel.close())

  const contexts = () => new Map(panel.routes.map(({ area, context }) => [area, context]))
  const registered = () =>
    [...panel.tools.steps, ...[...contexts()].flatMap(([area, context]) => area.steps?.(context) ?? [])].map(
      ({ name }) => name,
    )

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
    const { writeSites } = panel.tools.nginx
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

  it('have a name of their own', () => {
    const known = registered()
    assert.deepEqual(
      known.filter((name, index) => known.indexOf(name) !== index),
      [],
    )
  })
})
