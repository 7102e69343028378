import assert from 'node:assert/strict'
import { it } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep } from '../../../test/support/step-suite.ts'
import { killBusy, killProcess } from './kill.ts'
import { type StandInProcess, type StandInServer, standInServer } from './testing/stand-in.ts'

const processes = (): StandInProcess[] => [
  { id: 1, user: 'system user', command: 'Slave_SQL' },
  { id: 2, user: 'event_scheduler', command: 'Daemon' },
  { id: 3, user: 'replica', command: 'Binlog Dump' },
  { id: 4, user: 'shop', command: 'Sleep' },
  { id: 5, user: 'shop', command: 'Query' },
  { id: 6, user: 'root', command: 'Query' },
]

function serverWith(own: readonly number[] = []): StandInServer {
  const server = standInServer()
  server.processes = processes()
  for (const id of own) server.own.add(id)
  return server
}

const idsOf = ({ processes: left }: StandInServer) => left.map(({ id }) => id)

proveStep<StandInServer>('mariadb.kill-process', {
  machine: () => serverWith(),
  open: ({ connection }, door) => killProcess(door(connection)),
  look: idsOf,
  withoutHandEdit: 'final',
  cases: {
    'a client': {
      args: { id: 5 },
      wanted: [1, 2, 3, 4, 6],
      refusedAfter: (server) => void (server.processes = []),
    },
  },
})

proveStep<StandInServer>('mariadb.kill-busy', {
  machine: () => serverWith([6]),
  open: ({ connection }, door) => {
    const through = door(connection)
    return killBusy({ run: (statement) => through.run(statement), openIds: () => new Set([6]) })
  },
  look: idsOf,
  withoutHandEdit: 'final',
  cases: {
    'clients that are busy': { args: null, wanted: [1, 2, 3, 4, 6] },
  },
})

for (const [id, reason] of [
  [1, /thread of the server or of replication \(Slave_SQL\)/],
  [2, /thread of the server/],
  [3, /of replication \(Binlog Dump\)/],
  [6, /connection of the panel/],
  [99, /no connection has the id 99/],
] as const)
  it(`never ends connection ${id}`, async () => {
    const server = serverWith([6])
    const kind = killProcess(server.connection)
    await assert.rejects(kind.observe({ id }), reason)
    assert.equal(server.processes.length, 6)
  })

it('counts the connections that it ended, not those that ended by themselves', async () => {
  const server = serverWith()
  const { connection } = server
  const kind = killBusy({
    run: async (statement) => {
      const text = statement.parts[0] ?? ''
      if (text.startsWith('kill') && statement.values[0] === 6)
        server.processes = server.processes.filter((each) => each.id !== 6)
      return connection.run(statement)
    },
  })
  const { killed } = await kind.act(null, stepRun(null))
  assert.deepEqual([killed, idsOf(server)], [1, [1, 2, 3, 4]])
})
