import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { type Cut, type CutConnections, openCutConnections } from '../../test/support/cut-connections.ts'
import { type PostgresServer, startPostgresServer } from '../../test/support/postgresql-server.ts'
import { until } from '../../test/support/until.ts'
import { isDiskProblem } from '../store/disk-failures.ts'
import type { LinkOptions } from '../store/postgresql/link-options.ts'
import { openStore, type Store } from '../store/store.ts'
import { appendActivity, pruneActivity, verifyActivity } from './activity.ts'
import { openExecutor } from './executor.ts'
import { openWorkBench, person } from './long-work/testing/bench.ts'
import {
  entry,
  fileState,
  files,
  fileStep,
  fiveSteps,
  layOut,
  orderOf,
  parcelMigrations,
  quiet,
} from './testing/parcel.ts'

const former = files.map(({ before: text }) => text)
const wanted = files.map(({ wanted: text }) => text)
const points = [
  ...['decided', 'intended'],
  ...files.flatMap((_file, index) => [`before:${index}`, `after:${index}`, `stored:${index}`]),
  'acted',
]

let server: PostgresServer
let directory: string
let count = 0

before(async () => {
  server = await startPostgresServer()
  directory = mkdtempSync('/tmp/hostreeve-postgresql-changes-')
})
after(async () => {
  await server.remove()
  rmSync(directory, { recursive: true })
})

const openOn = (url: string, link: Partial<LinkOptions> = {}) =>
  openStore({ databaseUrl: url, migrations: parcelMigrations, now: new Date(), link })

async function freshDatabase(): Promise<string> {
  const name = `changes_${(count += 1)}`
  await server.query('postgres', `create database ${name} template template0`)
  return name
}

/** Carries out the change of five steps, and calls `onPoint` within it. */
function carryOut(store: Store, onPoint: (point: string) => void) {
  layOut(directory)
  return openExecutor({ store, log: quiet, onPoint }).execute(
    orderOf(async () => fiveSteps(store, directory, fileStep('file.write'))),
  )
}

/** What the change has done, on the host and in the store. */
async function traces(store: Store) {
  const rows = await store.db.selectFrom('parcels').select(['label', 'revision']).execute()
  return {
    files: fileState(directory),
    sent: rows.filter(({ label }) => label === 'sent').length,
    counted: rows.filter(({ label, revision }) => label === 'counter' && revision === 2).length,
    jobs: (await store.db.selectFrom('jobs').select('id').execute()).length,
    entries: (await store.db.selectFrom('activity').select('status').execute()).map(({ status }) => status),
    unsettled: (await store.db.selectFrom('changes').select('id').where('state', '!=', 'settled').execute())
      .length,
    isChainWhole: (await verifyActivity(store, new AbortController().signal)).ok,
  }
}

const once = {
  files: wanted,
  sent: 1,
  counted: 1,
  jobs: 1,
  entries: ['ok'],
  unsettled: 0,
  isChainWhole: true,
}

describe('a change whose PostgreSQL server is killed', () => {
  let store: Store
  beforeEach(async () => {
    store = await openOn(`${server.url}/${await freshDatabase()}`)
  })
  afterEach(() => store.close())

  for (const point of points)
    it(`is carried out once when that happens at ${point}`, async () => {
      let started: Promise<void> | undefined
      const outcome = await carryOut(store, (reached) => {
        if (reached !== point) return
        server.kill()
        started = server.start()
      })
      await started
      assert.ok(started, 'the point was reached')
      assert.equal(outcome.reply.id, 1)
      assert.deepEqual(await traces(store), once)
    })
})

describe('a change whose connection is cut', () => {
  let connections: CutConnections
  let store: Store
  beforeEach(async () => {
    connections = await openCutConnections(server.folder)
    store = await openOn(`${connections.url}/${await freshDatabase()}`)
  })
  afterEach(async () => {
    await store.close()
    await connections.close()
  })

  /** The commits of the change when nothing is cut. */
  const commitsOf = async () => {
    const first = connections.commits()
    await carryOut(store, () => {})
    return connections.commits() - first
  }

  it('commits what it intends, each further step and its end', async () => {
    assert.equal(await commitsOf(), files.length + 1)
    assert.deepEqual(await traces(store), once)
  })

  for (const cut of ['before it is sent', 'before its answer'] satisfies readonly Cut[])
    for (let number = 1; number <= files.length + 1; number++)
      it(`at commit ${number} ${cut} is carried out once, and no commit reaches the server twice`, async () => {
        const first = connections.commits()
        connections.cutAt(number, cut)
        const outcome = await carryOut(store, () => {})
        assert.equal(outcome.reply.id, 1)
        assert.equal(connections.commits() - first, files.length + 1)
        assert.deepEqual(await traces(store), once)
      })
})

describe('a change whose end is committed while another panel takes the database', () => {
  it('is neither undone nor answered: the panel ends, and the next start finds it settled', async () => {
    const name = await freshDatabase()
    const connections = await openCutConnections(server.folder)
    const overtaken = Promise.withResolvers<string>()
    const store = await openOn(`${connections.url}/${name}`, {
      onOvertaken: ({ message }) => overtaken.resolve(message),
    })
    connections.cutAt(files.length + 1, 'before its answer', { isLast: true })
    const ended = carryOut(store, () => {}).then(
      () => 'answered',
      () => 'failed',
    )
    const isSettled = async () =>
      (await server.query(name, "select count(*) from changes where state = 'settled'")) === '1'
    await until(isSettled)
    await (await openOn(`${server.url}/${name}`)).close()
    connections.leadTo(server.folder)
    assert.match(
      await Promise.race([ended, overtaken.promise]),
      /^Another panel has used the database meanwhile/,
    )
    await store.close()
    const kind = fileStep('file.write')
    const next = await openOn(`${server.url}/${name}`)
    const recoveries = await openExecutor({ store: next, log: quiet }).recover(new Map([[kind.name, kind]]))
    assert.deepEqual([recoveries, await traces(next)], [[], once])
    await next.close()
    await connections.close()
  })
})

describe('a job whose turn begins as the connection goes', () => {
  for (const point of ['before it is decided', 'before it is recorded'] as const)
    it(`has another turn once the server is back, if that happens ${point}`, async () => {
      const connections = await openCutConnections(server.folder)
      const store = await openOn(`${connections.url}/${await freshDatabase()}`, {
        patienceMs: 100,
        retryMs: 20,
      })
      let hasGone = false
      const goAt = (reached: typeof point) => {
        if (reached === point && !hasGone) connections.leadTo(undefined)
        hasGone ||= reached === point
      }
      const bench = openWorkBench(store, {
        callerOf: async () => {
          goAt('before it is decided')
          return person
        },
        onPoint: (reached) => reached === 'decided' && goAt('before it is recorded'),
      })
      const folder = mkdtempSync(`${directory}/work-`)
      await bench.start()
      const { jobId } = await bench.work.ask(bench.asked(folder))
      await until(() => hasGone)
      // its turn has failed by the time that later queries have
      for (let count = 1; count <= 5; count++)
        await assert.rejects(store.db.selectFrom('jobs').select('id').execute(), isDiskProblem)
      connections.leadTo(server.folder)
      const signal = AbortSignal.timeout(60_000)
      const end = await until(() => bench.work.ended(jobId, signal).catch(() => undefined))
      assert.deepEqual(end, { reply: { id: 7, wrote: `${folder}/first` } })
      const jobs = await store.db.selectFrom('jobs').select(['state', 'attempt']).execute()
      const entries = await store.db.selectFrom('activity').select('status').execute()
      assert.deepEqual([jobs, entries], [[{ state: 'succeeded', attempt: 1 }], [{ status: 'ok' }]])
      await bench.close()
      await store.close()
      await connections.close()
    })
})

describe('the activity log on a server', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString()
  const outcome = { status: 'ok', duration_ms: 1, change_id: null, message: 'an entry' } as const

  it('names the entry that was changed in the database, and is pruned behind a checkpoint', async () => {
    const name = await freshDatabase()
    const store = await openOn(`${server.url}/${name}`)
    for (const day of [1, 2, 3, 400, 401])
      await store.transaction((tx) =>
        appendActivity(store, tx, { ...entry, ...outcome, created_at: at(day) }),
      )
    const verify = () => verifyActivity(store, new AbortController().signal)
    assert.equal(await pruneActivity(store, new Date(at(401))), 1)
    assert.deepEqual(await verify(), { ok: true, checked: 4, from: 2, to: 5 })
    await server.query(name, "update activity set message = 'nothing happened' where id = 4")
    assert.deepEqual(await verify(), { ok: false, broken_at: 4, reason: 'this row is not as it was written' })
    await store.close()
  })
})

describe('a failover to a synchronous replica with the address unchanged', () => {
  it('keeps every commit that was answered, and the change in progress is carried out once', async () => {
    const name = await freshDatabase()
    const replica = await server.replicate()
    const connections = await openCutConnections(server.folder)
    try {
      const store = await openOn(`${connections.url}/${name}`)
      let promoted: Promise<void> | undefined
      await carryOut(store, (reached) => {
        if (reached !== 'before:2') return
        server.kill()
        connections.leadTo(replica.folder)
        promoted = replica.query('postgres', 'select 1').then(() => replica.promote())
      })
      assert.ok(promoted)
      await promoted
      assert.deepEqual(await traces(store), once)
      assert.equal(await replica.query(name, 'select count(*) from parcels'), '2')
      await store.close()
    } finally {
      await connections.close()
      await replica.remove()
      await server.start()
      await server.query('postgres', 'alter system reset synchronous_standby_names')
      await server.query('postgres', 'select pg_reload_conf()')
    }
    assert.notDeepEqual(fileState(directory), former)
  })
})
