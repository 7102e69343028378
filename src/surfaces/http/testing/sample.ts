import { changeMigrations } from '../../../changes/tables.ts'
import { openExecutor } from '../../../changes/executor.ts'
import { area } from '../../../core/area.ts'
import type { Caller } from '../../../core/caller.ts'
import type { ErrorStyle, Log } from '../../../core/endpoint.ts'
import { permission, signedIn } from '../../../core/guard.ts'
import type { PermissionSlug } from '../../../core/permissions.ts'
import { openLongWork } from '../../../changes/long-work/index.ts'
import { openJobs } from '../../../jobs/queue.ts'
import { jobMigrations } from '../../../jobs/tables.ts'
import { openStore } from '../../../store/store.ts'
import { routesOf } from '../../routes.ts'
import type { IntakeOptions } from '../intake.ts'
import type { Gates, Running } from '../mount.ts'
import { boxEndpoints } from './sample-boxes.ts'
import type { Context } from './sample-context.ts'
import { failures } from './sample-failures.ts'
import { gateEndpoints } from './sample-gates.ts'
import { secrets } from './sample-secrets.ts'
import { shapes } from './sample-shapes.ts'
import { slow } from './sample-slow.ts'
import { packing, workEndpoints } from './sample-work.ts'
import { streams } from './sample-streams.ts'
import { openHttp } from '../server.ts'

const endpoints = {
  ...boxEndpoints,
  ...secrets,
  ...shapes,
  ...streams,
  ...gateEndpoints,
  ...failures,
  ...slow,
  ...workEndpoints,
}

const sampleArea = (name: string, errors: ErrorStyle, more: object = {}) =>
  area({
    name,
    title: name,
    base: `/${name}`,
    guard: permission('websites_management'),
    errors,
    endpoints,
    open: (_deps: unknown) => ({}),
    ...more,
  })

const user = (
  id: number,
  isAdmin: boolean,
  ...slugs: readonly PermissionSlug[]
): Omit<Caller, 'ip' | 'userAgent' | 'requestId'> => ({
  user: { id, email: `${id}@example.com`, isAdmin, username: null },
  permissions: new Set(slugs),
  sessionId: id,
  keyId: null,
})
const callers = new Map([
  ['admin', user(1, true)],
  ['peer', { ...user(1, true), sessionId: null, keyId: 9 }],
  ['ada', user(2, false, 'websites_management')],
  ['eve', user(3, false)],
])

/**
 * A surface with a small area in each of the three error styles, one of them behind a plugin and one behind a
 * feature.
 */
export async function openSample(
  trustedProxies: readonly string[] = [],
  intake: IntakeOptions = {},
  more: Partial<Gates> = {},
) {
  const boxesMigration = {
    name: '202601010000-boxes',
    statements: [
      'create table boxes (id integer primary key, label text not null, revision integer not null)',
    ],
  }
  const store = await openStore({
    now: new Date(),
    migrations: [...jobMigrations, ...changeMigrations, boxesMigration],
  })
  const lines: { readonly level: string; readonly fields: object; readonly message: string }[] = []
  const note = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, fields, message })
  const log: Log = { info: note('info'), warn: note('warn'), error: note('error') }
  const boxes: Context['boxes'] = { store, uploads: [], signals: [], closed: 0, go: Promise.withResolvers() }
  const refusals: object[] = []
  const ends = new Map<number, AbortController>()
  const signalOf = (id: number) => {
    const controller = ends.get(id) ?? new AbortController()
    ends.set(id, controller)
    return controller
  }
  const executor = openExecutor({ store, log })
  const jobs = openJobs(store, log)
  const work = openLongWork({ store, log, executor, jobs })
  work.register([{ kind: packing, context: { boxes }, guards: [signedIn] }], async ({ user_id: id }) => {
    const found = [...callers.values()].find(({ user }) => user.id === id)
    return found && { ip: '', userAgent: '', requestId: '', ...found }
  })
  const gates: Gates = {
    credentials: {
      find: (token, visitor) => {
        const found = callers.get(token)
        return found && { ...visitor, ...found }
      },
      hold: ({ user: { id } }) => ({ signal: signalOf(id).signal, release: () => {} }),
    },
    switches: { isPluginEnabled: () => false, isFeatureEnabled: () => false },
    executor,
    work,
    log,
    heartbeatMs: 25,
    nextId: store.nextId,
    running: new Set<Running>(),
    recordEntry: async (entry) => void refusals.push(entry),
    ...more,
  }
  const areas = [
    sampleArea('boxes', 'coded'),
    sampleArea('quiet', 'message-only'),
    sampleArea('plain', 'flat'),
    sampleArea('plugged', 'coded', { plugin: 'uptime' }),
    sampleArea('licensed', 'coded', { feature: 'clusters', plugin: 'uptime' }),
  ]
  const routes = routesOf(areas.map((each) => ({ area: each, context: { boxes } })))
  const http = await openHttp({ routes, gates, trustedProxies, accessLog: log, intake })
  const endCredential = (token: string, reason: Error) =>
    signalOf((callers.get(token) as { user: { id: number } }).user.id).abort(reason)
  const renewCredentials = () => ends.clear()
  return {
    http,
    app: http.app,
    store,
    jobs,
    /** Lets queued jobs run. */
    startJobs: () => jobs.start(work.bound, work),
    boxes,
    routes,
    lines,
    refusals,
    gates,
    endCredential,
    renewCredentials,
  }
}
