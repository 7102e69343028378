import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { setInterval } from 'node:timers/promises'
import { connect } from '../../../src/host/connect/index.ts'
import { openFiles } from '../../../src/host/files.ts'
import { scriptPackages } from '../../../src/host/testing/scripted-host.ts'
import { insertRow } from '../../../src/store/rows.ts'
import { openTestPanel, type Person, type TestPanel } from '../../support/panel.ts'
import { addSession } from '../../support/people.ts'
import { addWebsite } from '../../support/websites.ts'
import { type Figure, median } from '../figures.ts'
import { makeHome, needsRoot } from '../homes.ts'
import { type MeasuredEngine, openMariadb, openPostgresql } from './engines.ts'

interface Measuring {
  readonly panel: TestPanel
  readonly owner: Person
  readonly site: number
  readonly rows: number
  readonly rounds: number
}

/** Exports, imports and copies of databases, as ratios to the programs of the servers alone; and their list. */
export async function measureDatabases(isShort: boolean): Promise<readonly Figure[]> {
  if (!needsRoot('dumps of databases')) return []
  const missing = ['mariadbd', '/usr/lib/postgresql/15/bin/pg_dump'].find(
    (program) => spawnSync(program, ['--version']).error !== undefined,
  )
  if (missing !== undefined) {
    process.stderr.write(`Left out: databases, as ${missing} is not installed\n`)
    return []
  }
  const home = makeHome()
  const [mariadb, postgresql] = [await openMariadb(home.folder), await openPostgresql()]
  const panel = await openTestPanel({
    accounts: new Map([['ada', { uid: home.uid, home: home.path }]]),
    scripts: [
      scriptPackages(
        new Map([
          ['mariadb-server', '10.11.14'],
          ['postgresql', '15+248'],
        ]),
      ),
    ],
    programs: ['mariadb', 'mariadb-dump'],
    postgresql: { place: postgresql.server.place, files: openFiles('/') },
    mariadb: { connection: connect.sql(mariadb.server.target), socketPath: mariadb.server.socketPath },
    isMeasured: true,
  })
  try {
    mkdirSync(`${panel.root}/root`)
    await panel.start()
    const owner = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    const site = await addWebsite(panel, { domain: 'ada.test', userId: owner.id })
    const measuring = { panel, owner, site, rows: isShort ? 40_000 : 250_000, rounds: isShort ? 3 : 5 }
    // an access token is valid for fifteen minutes, which is less than all of this takes
    const signedIn = async () => ({
      ...measuring,
      owner: { ...owner, ...(await addSession(panel.store, owner.id)) },
    })
    return [
      ...(await onEngine(await signedIn(), mariadb.measured)),
      ...(await onEngine(await signedIn(), postgresql.measured)),
      await listed(await signedIn()),
    ]
  } finally {
    await panel.close()
    await mariadb.measured.stop()
    await postgresql.measured.stop()
    home.remove()
  }
}

async function onEngine(measuring: Measuring, measured: MeasuredEngine): Promise<readonly Figure[]> {
  const { title, engine, base } = measured
  const prefix = engine === 'mariadb' ? 'm' : 'p'
  const create = async (name: string) => {
    const body = { engine, name: `${prefix}${name}`, username: `${prefix}${name}`, password: 'a password' }
    const { id } = await must(measuring, 'POST', `/websites/${measuring.site}/databases`, body)
    return { id, name: `ada_${prefix}${name}` }
  }
  const [source, target, reference] = [await create('source'), await create('target'), await create('own')]
  await measured.fill(source.name, measuring.rows)
  let file = ''
  const grown: number[] = []
  const exported = await ratio(measuring, {
    reference: () => measured.dump(source.name),
    own: async () => {
      const memory = watchMemory()
      file = (await followed(measuring, `/databases${base}/${source.id}/export`, {}))['file_path'] ?? ''
      grown.push(await memory.stop())
    },
  })
  const imported = await ratio(measuring, {
    before: async () => {
      await measured.empty(target.name)
      await measured.empty(reference.name)
    },
    reference: () => measured.load(reference.name),
    own: async () => {
      await followed(measuring, `/databases${base}/${target.id}/import`, { file })
    },
  })
  const size = `${measuring.rows} rows of 1 KB on ${title}`
  // of little data, most of the time is for the role of the client, which psql makes and removes
  const loose = engine === 'mariadb' ? 2.5 : 8
  return [
    { what: `export of ${size} / dump piped to gzip`, ...exported, bound: 1.05, loose },
    { what: `import of ${size} / the client`, ...imported, bound: 1.1, loose },
    {
      what: `memory that an export of ${size} takes`,
      value: median(grown),
      unit: 'MB',
      bound: 30,
      loose: 60,
    },
    ...(engine === 'mariadb' ? [await copied(measuring, measured, { source, reference })] : []),
  ]
}

interface Named {
  readonly id: number
  readonly name: string
}

async function copied(
  measuring: Measuring,
  measured: MeasuredEngine,
  { source, reference }: { readonly source: Named; readonly reference: Named },
): Promise<Figure> {
  let made = 0
  const result = await ratio(measuring, {
    before: () => measured.empty(reference.name),
    reference: () => measured.copy(source.name, reference.name),
    own: async () => {
      made += 1
      const body = { name: `copy${made}`, username: `copy${made}`, password: 'x', website_id: measuring.site }
      await must(measuring, 'POST', `/databases/${source.id}/duplicate`, body)
    },
  })
  const what = `copy of ${measuring.rows} rows of 1 KB on MariaDB / dump piped to the client`
  return { what, ...result, bound: 1.1, loose: 2.5 }
}

interface Compared {
  readonly before?: () => Promise<void>
  readonly reference: () => Promise<void>
  readonly own: () => Promise<void>
}

/** The median ratio of rounds, in each of which both are timed. */
async function ratio({ rounds }: Measuring, { before, reference, own }: Compared) {
  const found: { readonly own: number; readonly reference: number }[] = []
  for (let round = -1; round < rounds; round++) {
    await before?.()
    const [referenceMs, ownMs] = [await timeOf(reference), await timeOf(own)]
    if (round >= 0) found.push({ own: ownMs, reference: referenceMs }) // the first one compiles
  }
  const of = (key: 'own' | 'reference') => median(found.map((each) => each[key]))
  return {
    value: median(found.map((each) => each.own / each.reference)),
    unit: 'x',
    detail: `${of('own').toFixed(0)} ms and ${of('reference').toFixed(0)} ms`,
  }
}

const mostListed = 500

/** A page of 10,000 databases that the panel knows; the server is asked for those of the page. */
async function listed({ panel, owner, site, ...measuring }: Measuring): Promise<Figure> {
  const at = new Date().toISOString()
  const first = panel.store.nextId('databases')
  const rows = Array.from({ length: 10_000 }, (_, index) =>
    insertRow('databases', {
      ...{ id: first + index, engine: 'mariadb', name: `ada_many${index}`, user_id: owner.id },
      ...{ website_id: site, created_at: at, updated_at: at, revision: 1 },
    }),
  )
  await panel.store.transaction((tx) => panel.store.write(tx, rows))
  const times: number[] = []
  for (let round = -3; round < 9; round++) {
    const list = () =>
      must({ panel, owner, site, ...measuring }, 'GET', `/databases?per_page=${mostListed}&sort=name`)
    const ms = await timeOf(list)
    if (round >= 0) times.push(ms)
  }
  const what = `a page of ${mostListed} of 10,000 databases`
  return { what, value: median(times), unit: 'ms', bound: 300, loose: 900 }
}

const sampleMs = 50

/** Watches by how much the memory of this process grows. */
function watchMemory(): { stop(): Promise<number> } {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let most = before
  const end = new AbortController()
  const watching = (async () => {
    for await (const _ of setInterval(sampleMs, undefined, { signal: end.signal }))
      most = Math.max(most, process.memoryUsage.rss())
  })().catch(() => {})
  return {
    stop: async () => {
      end.abort()
      await watching
      return (most - before) / 1_048_576
    },
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function must({ panel, owner }: Measuring, method: string, path: string, body?: object): Promise<any> {
  const { status, text, data } = await panel.request(method, `/api${path}`, {
    as: owner,
    ...(body !== undefined && { body }),
  })
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 500)}`)
  return data
}

/** Follows an event stream to its end, which must be a success; returns its last event. */
async function followed(
  { panel, owner }: Measuring,
  path: string,
  body: object,
): Promise<Readonly<Record<string, string>>> {
  const { text } = await panel.request('POST', `/api${path}`, { as: owner, body })
  const last = [...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1] ?? '{}'
  const event: Readonly<Record<string, string>> = JSON.parse(last)
  if (event['type'] !== 'done') throw new Error(`${path} ended with ${text.slice(-500)}`)
  return event
}
