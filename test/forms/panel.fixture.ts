import type { Caller } from '../../src/core/caller.ts'
import { openExecutor } from '../../src/changes/executor.ts'
import { changeMigrations } from '../../src/changes/tables.ts'
import type { Log } from '../../src/core/endpoint.ts'
import { openLongWork } from '../../src/changes/long-work/index.ts'
import { openJobs } from '../../src/jobs/queue.ts'
import { jobMigrations } from '../../src/jobs/tables.ts'
import { openStore } from '../../src/store/store.ts'
import type { Gates } from '../../src/surfaces/http/mount.ts'
import { openHttp } from '../../src/surfaces/http/server.ts'
import { routesOf } from '../../src/surfaces/routes.ts'
import { type Context, forms, licensed } from './sample.fixture.ts'

type Person = Omit<Caller, 'ip' | 'userAgent' | 'requestId'>

const person = (id: number, isAdmin: boolean): Person => ({
  user: { id, email: `${id}@example.com`, isAdmin, username: null },
  permissions: new Set(),
  sessionId: id,
  keyId: null,
})
const people = new Map([
  ['admin', person(1, true)],
  ['ada', person(2, false)],
])

/** Opens the surface over the sample area; keys and switches can be changed between requests. */
export async function openForms(heartbeatMs?: number) {
  const store = await openStore({ now: new Date(), migrations: [...jobMigrations, ...changeMigrations] })
  const errors: object[] = []
  const entries: Parameters<Gates['recordEntry']>[0][] = []
  const log: Log = { info: () => {}, warn: () => {}, error: (fields) => void errors.push(fields) }
  const keys = {
    syncKey: 'sync' as string | undefined,
    monitorKey: undefined as string | undefined,
    owners: new Map([['mcp_1', person(3, false)]]),
    probes: [] as string[],
  }
  const switches = { plugin: false, feature: false }
  const tokens = new Map([['once', 'terminal']])
  const ended = new AbortController()
  const executor = openExecutor({ store, log })
  const gates: Gates = {
    credentials: {
      find: (token, visitor) => {
        const found = people.get(token)
        return found && { ...visitor, ...found }
      },
      hold: () => ({ signal: ended.signal, release: () => {} }),
    },
    socketTokens: {
      find: async (token, purpose, visitor) =>
        tokens.get(token) === purpose
          ? { caller: { ...visitor, ...person(2, false) }, userId: 7 }
          : undefined,
      consume: (token) => tokens.delete(token),
    },
    switches: { isPluginEnabled: () => switches.plugin, isFeatureEnabled: () => switches.feature },
    executor,
    work: openLongWork({ store, log, executor, jobs: openJobs(store, log) }),
    log,
    nextId: store.nextId,
    ...(heartbeatMs && { heartbeatMs }),
    running: new Set(),
    recordEntry: async (entry) => void entries.push(entry),
  }
  const context: Context = { forms: keys }
  const routes = routesOf([forms, licensed].map((area) => ({ area, context })))
  const http = await openHttp({ routes, gates, trustedProxies: [], accessLog: log })
  return { http, store, routes, keys, switches, tokens, ended, errors, entries }
}
