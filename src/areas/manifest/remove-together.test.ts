import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep } from '../../../test/support/step-suite.ts'
import { ServerError } from '../../core/problem.ts'
import { finalStep } from '../../core/steps.ts'
import { removeTogether } from './remove-together.ts'

/** A server whose databases can be dropped, except for those that it refuses. */
class Server {
  readonly databases = new Set(['ada', 'bob', 'cy'])
  readonly refused = new Set<string>()
  async drop(name: string): Promise<void> {
    if (this.refused.has(name)) throw ServerError(`${name} is in use`)
    this.databases.delete(name)
  }
  async has(name: string): Promise<boolean> {
    return this.databases.has(name)
  }
}

const open = (server: Pick<Server, 'drop' | 'has'>) =>
  removeTogether([
    finalStep<{ readonly name: string }>({
      name: 'server.drop',
      plan: ({ name }) => ({ title: `Drop ${name}` }),
      why: 'its tables are gone',
      act: async ({ name }) => {
        await server.drop(name)
        return null
      },
      isDone: async ({ name }) => !(await server.has(name)),
    }),
  ])
const args = (...names: readonly string[]) => ({
  removals: names.map((name) => ({ kind: 'server.drop', args: { name } })),
})

proveStep<Server>('manifest.remove-together', {
  machine: () => new Server(),
  open: (server, door) => open(door(server)),
  look: ({ databases }) => [...databases],
  withoutHandEdit: 'it is final',
  cases: {
    'several databases': { args: args('ada', 'bob'), wanted: ['cy'], returns: { left: [], message: '' } },
  },
})

test('fails with the first alone, which leaves all as it was', async () => {
  const server = new Server()
  server.refused.add('ada')
  const kind = open(server)
  const before = await kind.observe(args('ada', 'bob'))
  await assert.rejects(kind.act(args('ada', 'bob'), stepRun(before)), /ada is in use/)
  assert.deepEqual([...server.databases], ['ada', 'bob', 'cy'])
  assert.equal(await kind.check(args('ada', 'bob'), before), 'before')
})

test('goes on once something is gone, also when it is cancelled, and returns what is left', async () => {
  const server = new Server()
  server.refused.add('bob')
  const kind = open(server)
  const all = args('gone', 'ada', 'bob', 'cy')
  const before = await kind.observe(all)
  const { left } = await kind.act(all, stepRun(before, undefined, { signal: AbortSignal.abort() }))
  assert.deepEqual(left, ['Drop bob: bob is in use'])
  assert.deepEqual([...server.databases], ['bob'])
  assert.equal(await kind.check(all, before), 'wanted')
  assert.deepEqual(await kind.again?.(all, before), { left: ['Drop bob'], message: 'Drop bob' })
})

test('does not count what was gone before as the first', async () => {
  const server = new Server()
  server.refused.add('bob')
  const kind = open(server)
  const before = await kind.observe(args('gone', 'bob'))
  await assert.rejects(kind.act(args('gone', 'bob'), stepRun(before)), /bob is in use/)
})
