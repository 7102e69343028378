import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { stepRun } from '../../../../test/support/step-run.ts'
import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import { Problem } from '../../../core/problem.ts'
import { ActivationFailed, ScriptFailed } from '../problems.ts'
import type { AskWordPress } from '../run-script.ts'
import { setItemState, type StateArgs } from './set-state.ts'

const args: StateArgs = {
  ...{ username: 'ann', domain: 'a.test', version: '8.2', isTls: false },
  ...{ kind: 'plugin', name: 'probe/probe.php', state: 'active', checksSite: true },
}

/** A WordPress whose plugin, or theme, has the state in a file. */
const wordpress = (folder: string) => ({
  ask: async (mode: string, state?: string) => {
    if (mode === 'set_state') writeFileSync(`${folder}/state`, state ?? '')
    return { state: readFileSync(`${folder}/state`, 'utf8') }
  },
})
const askOf = (on: ReturnType<typeof wordpress>): AskWordPress =>
  ((_place: unknown, mode: string, input: { readonly state?: string }) => on.ask(mode, input.state)) as never

proveStep<string>('wordpress.set-state', {
  machine: (t) => {
    const folder = scratchRoot(t)
    writeFileSync(`${folder}/state`, 'inactive')
    return folder
  },
  open: (folder, door) =>
    setItemState({ ask: askOf(door(wordpress(folder))), faultOf: async () => undefined }),
  look: (folder) => readFileSync(`${folder}/state`, 'utf8'),
  cases: {
    'a plugin': {
      args: { ...args },
      wanted: 'active',
    },
    'a theme': {
      args: { ...args, kind: 'theme', name: 'two', state: 'two' },
      arrange: (folder) => writeFileSync(`${folder}/state`, 'one'),
      wanted: 'two',
      callsAsIn: 'a plugin',
      handEdit: (folder) => writeFileSync(`${folder}/state`, 'three'),
    },
  },
})

/** A WordPress in which nothing can be loaded. */
const broken = () => {
  const asked: { readonly mode: string; readonly loadsAll: boolean }[] = []
  let state = 'active'
  const ask = (async (
    _place: unknown,
    mode: string,
    input: { state: string },
    options: { loadsAll?: boolean },
  ) => {
    if (mode !== 'set_state') return { state }
    asked.push({ mode, loadsAll: options.loadsAll === true })
    if (options.loadsAll === true) throw ScriptFailed('WordPress: Call to undefined function')
    state = input.state
    return { state }
  }) as unknown as AskWordPress
  return { ask, asked, state: () => state }
}

test('a plugin that breaks WordPress is deactivated without loading it', async () => {
  const on = broken()
  const kind = setItemState({ ask: on.ask, faultOf: async () => undefined })
  await kind.act({ ...args, state: 'inactive' }, stepRun(await kind.observe(args)))
  assert.equal(on.state(), 'inactive')
  assert.deepEqual(
    on.asked.map(({ loadsAll }) => loadsAll),
    [true, false],
  )
})

test('a website that fails afterwards gets the former state back', async (t) => {
  const folder = scratchRoot(t)
  writeFileSync(`${folder}/state`, 'inactive')
  const on = wordpress(folder)
  const kind = setItemState({ ask: askOf(on), faultOf: async () => 'a.test/ answered 500' })
  const before = await kind.observe(args)
  await assert.rejects(kind.act(args, stepRun(before)), (error) => {
    assert.ok(error instanceof Problem && error.kind === ActivationFailed)
    assert.match(error.message, /a\.test\/ answered 500/)
    return true
  })
  await kind.undo(args, before)
  assert.equal((await on.ask('state')).state, 'inactive')
})
