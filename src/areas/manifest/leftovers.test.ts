import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openExecutor } from '../../changes/executor.ts'
import { changeMigrations } from '../../changes/tables.ts'
import { change, type Step, step, type StepKind } from '../../core/change.ts'
import { ServerError } from '../../core/problem.ts'
import { finalStep } from '../../core/steps.ts'
import { jobMigrations } from '../../jobs/tables.ts'
import type { Store } from '../../store/store.ts'
import { openTestStore } from '../../store/testing/open-test-store.ts'
import { createLeftovers } from './migrations/202611300850-manifest-leftovers.ts'
import { removeTogether } from './remove-together.ts'
import { leftoverQueries, leftoverWrites } from './store.ts'

/** A server with databases, which refuses to drop some; `onDropped` is called after each that it dropped. */
interface Server {
  readonly databases: Set<string>
  readonly refused: readonly string[]
  readonly onDropped: () => Promise<void>
}

const names = ['ada', 'bob', 'cy']

const removalOn = ({ databases, refused, onDropped }: Server) =>
  removeTogether([
    finalStep<{ readonly name: string }>({
      name: 'server.drop',
      plan: ({ name }) => ({ title: `Drop ${name}` }),
      why: 'its tables are gone',
      act: async ({ name }) => {
        if (refused.includes(name)) throw ServerError(`${name} is in use`)
        databases.delete(name)
        await onDropped()
        return null
      },
      isDone: async ({ name }) => !databases.has(name),
    }),
  ])

/** A step whose object somebody else changes after it has acted. */
const edited: StepKind<null, null, null> = {
  name: 'proof.edited',
  plan: () => ({ title: 'Write a file' }),
  observe: async () => null,
  act: async () => null,
  undo: async () => {},
  check: async () => 'other',
}

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const request = { method: 'POST', path: '/api/manifest/apply', request: '{}', request_id: 'r-1' }
const entry = { action: 'manifest_apply', user_id: 1, key_id: null, ip: '192.0.2.1', ...request }

/** Carries out a change that drops the databases after other steps, for job 7. */
function apply(store: Store, server: Server, others: readonly Step[]): Promise<unknown> {
  const removals = names.map((name) => ({ kind: 'server.drop', args: { name } }))
  const removal = step(removalOn(server), { removals })
  const rows = leftoverWrites(removal, 7, new Date())
  return openExecutor({ store, log: quiet }).execute({
    decide: async () => change({ summary: 'Apply', steps: [...others, removal], rows, reply: null }),
    actor: { entry },
    keepsReply: false,
    signal: new AbortController().signal,
    actSignal: new AbortController().signal,
  })
}

const proceed = async () => {}

async function openMemory(t: TestContext): Promise<Store> {
  const migrations = [...jobMigrations, ...changeMigrations, createLeftovers]
  const store = await openTestStore({ now: new Date(), migrations })
  t.after(() => store.close())
  return store
}

/** Kills the panel after the first drop, and starts it again while the server refuses some. Returns the end, and what is kept then. */
async function killedAndRestarted(
  t: TestContext,
  refused: readonly string[],
  {
    others = [],
    present = names,
  }: { readonly others?: readonly Step[]; readonly present?: readonly string[] } = {},
) {
  const store = await openMemory(t)
  const databases = new Set(present)
  await new Promise<void>((killed, failed) => {
    const onDropped = () => {
      killed()
      return new Promise<void>(() => {})
    }
    apply(store, { databases, refused: [], onDropped }, others).catch(failed)
  })
  assert.deepEqual(await messagesIn(store), [])
  const kinds = [edited, removalOn({ databases, refused, onDropped: proceed })]
  const recover = () =>
    openExecutor({ store, log: quiet }).recover(new Map(kinds.map((one) => [one.name, one])))
  const [recovery] = await recover()
  assert.deepEqual(await recover(), [])
  return { outcome: recovery?.outcome, databases: [...databases], messages: await messagesIn(store) }
}

const messagesIn = async (store: Store) =>
  (await leftoverQueries(store).newest()).map(({ job_id: jobId, message }) => `${jobId}: ${message}`)

test('keeps what is left of a change that is completed after a kill', async (t) => {
  assert.deepEqual(await killedAndRestarted(t, ['bob', 'cy']), {
    outcome: 'ok',
    databases: ['bob', 'cy'],
    messages: ['7: Drop bob; Drop cy'],
  })
})

test('keeps nothing where nothing is left after a kill', async (t) => {
  assert.deepEqual(await killedAndRestarted(t, []), { outcome: 'ok', databases: [], messages: [] })
})

test('keeps nothing where the change is undone after a kill, as the panel has the databases again', async (t) => {
  const { outcome, messages } = await killedAndRestarted(t, ['bob'], { others: [step(edited, null)] })
  assert.deepEqual([outcome, messages], ['failed', []])
})

test('keeps what is left without a kill, with the reasons', async (t) => {
  const store = await openMemory(t)
  await apply(store, { databases: new Set(names), refused: ['bob'], onDropped: proceed }, [])
  assert.deepEqual(await messagesIn(store), ['7: Drop bob: bob is in use'])
})

test('completes a change after a kill whose databases were gone before', async (t) => {
  const { outcome, messages } = await killedAndRestarted(t, [], { present: [] })
  assert.deepEqual([outcome, messages], ['ok', []])
})

test('keeps nothing where the first is refused', async (t) => {
  const store = await openMemory(t)
  const server = { databases: new Set(names), refused: ['ada'], onDropped: proceed }
  await assert.rejects(apply(store, server, []), /ada is in use/)
  assert.deepEqual(await messagesIn(store), [])
})
