import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { proveStep } from '../../../test/support/step-suite.ts'
import { stepRun } from '../../../test/support/step-run.ts'
import { connect } from '../../host/connect/index.ts'
import { type Admin, openAdmin, plain } from './admin.ts'
import { awaitAnswer } from './await-answer.ts'
import type { AdminRow, GroupName } from './groups.ts'
import { readLayers } from './layers.ts'
import { resetStatistics } from './reset-statistics.ts'
import { setRows } from './set-rows.ts'
import { type StandIn, startStandIn } from './testing/stand-in.ts'

const hostile = ["'); DROP TABLE mysql_servers; --", "a\\' OR 1=1 --", '"; x', 'é 😀 \\', "''", '%', '/* */']
const server = (hostname: string, more: AdminRow = {}): AdminRow => ({
  ...{ hostgroup_id: '0', hostname, port: '3306' },
  ...more,
})

interface Machine {
  readonly folder: string
  readonly standIn: StandIn
  readonly admin: Admin
}

async function startMachine(): Promise<Machine> {
  const folder = mkdtempSync('/tmp/hostreeve-proxysql-')
  const adminSocket = `${folder}/admin.sock`
  const standIn = await startStandIn({ folder, adminSocket })
  const files = { read: async () => undefined } as unknown as Parameters<typeof openAdmin>[0]['files']
  return { folder, standIn, admin: openAdmin({ connect, files }, [{ socketPath: adminSocket }]) }
}

const stopMachine = async ({ folder, standIn }: Machine) => {
  await standIn.stop()
  rmSync(folder, { recursive: true, force: true })
}

describe('the rows of ProxySQL', () => {
  let machine: Machine
  before(async () => void (machine = await startMachine()))
  after(() => stopMachine(machine))
  const set = async (group: GroupName, rows: { put?: AdminRow[]; remove?: string[] }) => {
    const kind = setRows(machine.admin)
    const before = await kind.observe({ group, ...rows })
    await kind.act({ group, ...rows }, stepRun(before))
    return { undo: () => kind.undo({ group, ...rows }, before) }
  }

  test('keeps hostile values as they are, in memory, in the running program and on disk', async () => {
    for (const [at, text] of hostile.entries()) {
      const row = server(`db${at}`, { comment: text })
      await set('servers', { put: [row] })
      const layers = await readLayers(machine.admin, 'servers')
      for (const rows of [layers.memory, layers.runtime, layers.disk])
        assert.equal(rows[`0 db${at} 3306`]?.['comment'], text)
      await set('users', { put: [{ username: text, backend: '1', password: text }] })
      assert.equal((await readLayers(machine.admin, 'users')).disk[`${text} 1`]?.['password'], text)
    }
    const { memory } = await readLayers(machine.admin, 'servers')
    assert.equal(Object.keys(memory).length, hostile.length)
    await set('servers', { remove: Object.keys(memory) })
    await set('users', { remove: hostile.map((text) => `${text} 1`) })
    assert.deepEqual(await readLayers(machine.admin, 'users'), { memory: {}, runtime: {}, disk: {} })
  })

  test('leaves all three as they were where a value is refused or silently dropped', async () => {
    await set('servers', { put: [server('kept')] })
    const before = await readLayers(machine.admin, 'servers')
    const kind = setRows(machine.admin)
    const args = { group: 'servers' as const, put: [server('new'), server('bad', { weight: '-1' })] }
    const was = await kind.observe(args)
    await assert.rejects(kind.act(args, stepRun(was)), /CHECK constraint failed/)
    await kind.undo(args, was)
    assert.deepEqual(await readLayers(machine.admin, 'servers'), before)
    const variables = await readLayers(machine.admin, 'mysqlVariables')
    const dropped = {
      group: 'mysqlVariables' as const,
      put: [{ variable_name: 'mysql-max_connections', variable_value: 'abc' }],
    }
    const former = await kind.observe(dropped)
    await assert.rejects(kind.act(dropped, stepRun(former)), /did not take mysql-max_connections/)
    await kind.undo(dropped, former)
    assert.deepEqual(await readLayers(machine.admin, 'mysqlVariables'), variables)
    await set('servers', { remove: ['0 kept 3306'] })
  })

  test('neither loads nor saves rows that another administrator has only in memory', async () => {
    await machine.admin.run(plain("INSERT INTO mysql_servers (hostname) VALUES ('pending')"))
    const { undo } = await set('servers', { put: [server('mine')] })
    const layers = await readLayers(machine.admin, 'servers')
    assert.deepEqual(Object.keys(layers.memory).toSorted(), ['0 mine 3306', '0 pending 3306'])
    assert.deepEqual(Object.keys(layers.runtime), ['0 mine 3306'])
    assert.deepEqual(Object.keys(layers.disk), ['0 mine 3306'])
    await undo()
    const now = await readLayers(machine.admin, 'servers')
    assert.deepEqual([Object.keys(now.memory), now.runtime, now.disk], [['0 pending 3306'], {}, {}])
    await machine.admin.run(plain("DELETE FROM mysql_servers WHERE hostname = 'pending'"))
  })

  test('counts a server that ProxySQL shunned as the one that was set', async () => {
    await set('servers', { put: [server('down')] })
    machine.standIn.tables.database.exec("UPDATE runtime_mysql_servers SET status = 'SHUNNED'")
    await set('servers', { put: [server('other')] })
    assert.deepEqual(Object.keys((await readLayers(machine.admin, 'servers')).runtime).toSorted(), [
      '0 down 3306',
      '0 other 3306',
    ])
    await set('servers', { remove: ['0 down 3306', '0 other 3306'] })
  })

  test('is asked once while it hangs, however many ways lead to it', async (t) => {
    let contacts = 0
    const silent = createServer(() => void contacts++)
    t.after(() => silent.close())
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    const { port } = silent.address() as AddressInfo
    const files = { read: async () => 'password=x' } as unknown as Parameters<typeof openAdmin>[0]['files']
    const admin = openAdmin({ connect, files }, [{ port }, { port }], 200)
    await assert.rejects(admin.run(plain('SELECT 1')), /cannot be reached/)
    assert.equal(contacts, 1)
  })

  test('is reached with the right password alone, and refuses prepared statements', async () => {
    const at = { socketPath: `${machine.folder}/admin.sock` }
    const wrong = connect.sql({
      name: 'ProxySQL',
      at,
      user: 'admin',
      password: () => 'wrong',
      dialect: 'sqlite',
    })
    await assert.rejects(wrong.run(plain('SELECT 1')), /Access denied/)
  })
})

const look = async ({ admin }: Machine, group: GroupName) => {
  const { memory, runtime, disk } = await readLayers(admin, group)
  return [memory, runtime, disk].map((rows) => Object.keys(rows))
}

const started = async (t: { after(work: () => Promise<void>): void }) => {
  const machine = await startMachine()
  t.after(() => stopMachine(machine))
  return machine
}

proveStep<Machine>('proxysql.set-rows', {
  machine: started,
  open: ({ admin }, door) => setRows(door(admin)),
  look: (machine) => look(machine, 'servers'),
  cases: {
    'one added and one removed': {
      args: { group: 'servers', put: [server('new', { weight: '5' })], remove: ['0 old 3306'] },
      arrange: async ({ admin }) => {
        await admin.run(plain("INSERT INTO mysql_servers (hostname) VALUES ('old')"))
        await admin.run(plain('LOAD MYSQL SERVERS TO RUNTIME'))
        await admin.run(plain('SAVE MYSQL SERVERS TO DISK'))
      },
      wanted: [['0 new 3306'], ['0 new 3306'], ['0 new 3306']],
      handEdit: ({ admin }) =>
        admin.run(plain("UPDATE mysql_servers SET weight = 77 WHERE hostname = 'old'")),
    },
  },
})

proveStep<Machine>('proxysql.await-answer', {
  machine: started,
  open: ({ admin }, door) => awaitAnswer(door(admin)),
  look: () => 'answering',
  withoutHandEdit: 'it changes nothing',
  cases: { answering: { args: null, wanted: 'answering' } },
})

proveStep<Machine>('proxysql.reset-statistics', {
  machine: started,
  open: ({ admin }, door) => resetStatistics(door(admin)),
  look: async ({ admin }) => (await admin.run(plain('SELECT * FROM stats.stats_mysql_query_digest'))).length,
  withoutHandEdit: 'the counters are those of the program',
  cases: {
    reset: {
      args: null,
      arrange: ({ standIn }) =>
        standIn.tables.database.exec(
          "INSERT INTO stats.stats_mysql_query_digest VALUES (0, '', 'shop', 'SELECT ?', 3, 300)",
        ),
      wanted: 0,
    },
  },
})
