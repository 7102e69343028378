import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import type { Answer } from '../support/panel.ts'
import type { FaultBench } from './bench.ts'

/** A kind of change that is repeated, each time on another object, named by its number. */
export interface ChangeKind {
  readonly name: string
  /** The status of its success. */
  readonly status: number
  /** True if each run changes the same object. */
  readonly isOneThing?: true
  prepare?(bench: FaultBench, at: number): Promise<void>
  ask(bench: FaultBench, at: number, key: string): Promise<Answer>
  /** Returns if the change was carried out, according to each record of it: on the host and in the store. */
  isDone(bench: FaultBench, at: number): Promise<readonly boolean[]>
}

const siteOf = (at: number) => `s${at}.example.com`
const logsOf = ({ panel }: FaultBench, at: number) => `${panel.root}/var/log/hostreeve/sites/${siteOf(at)}`
const sitePath = (at: number) => `/etc/nginx/hostreeve/sites/${siteOf(at)}.conf`

const ask = ({ panel }: FaultBench, method: string, path: string, { key, body }: Asking): Promise<Answer> =>
  panel.request(method, path, {
    as: panel.admin,
    ...(body !== undefined && { body }),
    headers: { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) },
  })

interface Asking {
  readonly key?: string
  readonly body?: unknown
}

const createSite = (bench: FaultBench, at: number, key?: string) =>
  ask(bench, 'POST', '/api/websites', {
    ...(key && { key }),
    body: { domain: siteOf(at), type: 'static', username: 'ada' },
  })

/** Of deleted websites. */
const ids = new Map<number, number | undefined>()

const siteRow = ({ panel }: FaultBench, at: number) =>
  panel.store.db.selectFrom('websites').select('id').where('domain', '=', siteOf(at)).executeTakeFirst()

/** Six kinds: rows with a step, owned files, an edited file, the files of an owner, and rows alone. */
export const changeKinds: readonly ChangeKind[] = [
  {
    name: 'a user with a Linux account',
    status: 201,
    ask: (bench, at, key) => {
      const draft = {
        email: `u${at}@example.com`,
        username: `u${at}`,
        fullname: 'U',
        password: 'long enough',
      }
      return ask(bench, 'POST', '/api/users', { key, body: draft })
    },
    isDone: async ({ panel, accounts }, at) => [
      accounts.has(`u${at}`),
      (await panel.host.files.facts(`/home/u${at}`)) !== undefined,
      (await panel.store.db.selectFrom('users').select('id').where('username', '=', `u${at}`).execute())
        .length === 1,
    ],
  },
  {
    name: 'a new website',
    status: 201,
    ask: createSite,
    isDone: async (bench, at) => [
      bench.read(sitePath(at)) !== undefined,
      existsSync(logsOf(bench, at)),
      existsSync(`${bench.home}/sites/${siteOf(at)}/public`),
      (await siteRow(bench, at)) !== undefined,
    ],
  },
  {
    name: 'the deletion of a website',
    status: 200,
    prepare: async (bench, at) => assert.equal((await createSite(bench, at)).status, 201),
    ask: async (bench, at, key) => {
      const id = (await siteRow(bench, at))?.id ?? ids.get(at)
      ids.set(at, id)
      return ask(bench, 'DELETE', `/api/websites/${id}`, { key })
    },
    isDone: async (bench, at) => [
      bench.read(sitePath(at)) === undefined,
      !existsSync(logsOf(bench, at)),
      (await siteRow(bench, at)) === undefined,
    ],
  },
  {
    name: 'a backend of HAProxy',
    status: 201,
    ask: (bench, at, key) => ask(bench, 'POST', '/api/lbproxy/backends', { key, body: { name: `b${at}` } }),
    isDone: async ({ read }, at) => [
      read('/etc/haproxy/haproxy.cfg')?.match(new RegExp(`^backend b${at}$`, 'gm'))?.length === 1,
    ],
  },
  {
    name: 'a file in a home',
    status: 200,
    ask: (bench, at, key) => {
      const body = { username: 'ada', path: `f${at}.txt`, content: `content ${at}` }
      return ask(bench, 'POST', '/api/filemanager/write', { key, body })
    },
    isDone: async ({ home }, at) => [
      existsSync(`${home}/f${at}.txt`) && readFileSync(`${home}/f${at}.txt`, 'utf8') === `content ${at}`,
    ],
  },
  {
    name: 'a change of rows alone',
    status: 200,
    isOneThing: true,
    ask: (bench, at, key) =>
      ask(bench, 'PATCH', `/api/users/${bench.subjectId}`, { key, body: { fullname: `Name ${at}` } }),
    isDone: async ({ panel, subjectId }, at) => {
      const names = panel.store.db.selectFrom('users').select('fullname').where('id', '=', subjectId)
      return [(await names.executeTakeFirst())?.fullname === `Name ${at}`]
    },
  },
]
