import { Readable } from 'node:stream'
import { setTimeout as later } from 'node:timers/promises'
import Type from 'typebox'
import { changeMigration } from '../../changes/tables.ts'
import { openExecutor } from '../../changes/executor.ts'
import { area } from '../../core/area.ts'
import type { Caller } from '../../core/caller.ts'
import { change, step, type StepKind } from '../../core/change.ts'
import { type ErrorStyle, type Log, upload, at } from '../../core/endpoint.ts'
import { open, openUnlessWrong, permission, type PermissionSlug, superuser } from '../../core/guard.ts'
import { BadRequest, NotFound, problem } from '../../core/problem.ts'
import { accepted, bytes, created, data, events, flat, list, type StreamEvent, succeeded, success } from '../../core/reply.ts'
import { Hostname, Id, Optional, Reveal, Revealed, Revision, Secret, Text } from '../../core/schemas.ts'
import { jobMigration } from '../../jobs/tables.ts'
import { openStore, type Store } from '../../store/store.ts'
import { routesOf } from '../routes.ts'
import type { Gates, Running } from './mount.ts'
import { openHttp } from './server.ts'

declare module '../../store/tables.ts' {
  interface Tables {
    readonly boxes: { readonly id: number; readonly label: string; readonly revision: number }
  }
}

interface Context {
  readonly boxes: { readonly store: Store; readonly uploads: string[]; readonly signals: AbortSignal[]; closed: number }
}

const { endpoint } = area.of<Context>()
const Box = Type.Object({ id: Id, label: Text(50), revision: Revision, password: Optional(Secret()) })
const PlainBox = Type.Object({ id: Id, label: Text(50), revision: Revision })
const Path = Type.Object({ id: Id })
const Taken = problem('taken', 409, 'The label is taken')
const Hidden = problem('hidden', 418, 'Declared nowhere')

const load = async ({ params, boxes }: { readonly params: { readonly id: number } } & Context) => {
  const row = await boxes.store.db.selectFrom('boxes').selectAll().where('id', '=', params.id).executeTakeFirst()
  if (row === undefined) throw NotFound(`id: there is no box ${params.id}`)
  return row
}

const readUpload: StepKind<Record<never, never>, null, { readonly sizeBytes: number }, Readable> = {
  name: 'boxes.read-upload',
  plan: () => ({ title: 'Read the file' }),
  observe: async () => null,
  act: async (_args, { live }) => {
    let sizeBytes = 0
    for await (const chunk of live) sizeBytes += (chunk as Buffer).length
    return { sizeBytes }
  },
  undo: async () => {},
  check: async () => 'before',
}

const hang: StepKind<null, null, void> = {
  name: 'boxes.hang',
  plan: () => ({ title: 'Hang until the signal ends' }),
  observe: async () => null,
  act: (_args, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  undo: async () => {},
  check: async () => 'before',
}

async function* count(signal: AbortSignal, from: number, boxes: Context['boxes']): AsyncGenerator<StreamEvent<{ n: number; password: string }>> {
  try {
    for (let n = from + 1; n <= from + 3; n++) yield { id: n, value: { n, password: 'correct-horse' } }
    await later(600_000, undefined, { signal, ref: false })
  } finally {
    boxes.closed += 1
  }
}

const endpoints = [
  endpoint({
    method: 'GET',
    path: '',
    summary: 'List',
    effect: 'reads',
    reply: list(Box, { sort: ['id', 'label'], search: ['label'] }),
    run: ({ query }) => ({ items: [{ id: query.page, label: query.sort, revision: 1 }], total: 7 }),
  }),
  endpoint({
    method: 'GET',
    path: '/{id}',
    summary: 'Read',
    effect: 'reads',
    params: Path,
    reply: data(Box),
    target: load,
    run: ({ target }) => ({ ...target, password: 'correct-horse' }),
  }),
  endpoint({
    method: 'POST',
    path: '',
    summary: 'Create',
    effect: 'changes',
    body: Type.Object({ label: Text(50, { minLength: 1, expects: 'a label' }), host: Optional(Hostname), password: Optional(Secret()) }),
    reply: created(PlainBox),
    throws: { taken: Taken },
    run: ({ body, id }) => {
      if (body.label === 'taken') throw Taken('label: taken is taken')
      const row = { id: id('boxes'), label: body.label, revision: 1 }
      return change({ summary: `Create ${body.label}`, locks: ['boxes'], rows: [{ write: 'insert', table: 'boxes', values: row }], reply: row })
    },
  }),
  endpoint({
    method: 'PATCH',
    path: '/{id}',
    summary: 'Edit',
    effect: 'changes',
    params: Path,
    body: Type.Object({ label: Optional(Text(50)) }),
    reply: succeeded,
    target: load,
    run: ({ target, body }) =>
      change({
        summary: 'Edit',
        locks: [`box:${target.id}`],
        rows: [
          {
            write: 'update',
            table: 'boxes',
            where: { id: target.id, revision: target.revision },
            set: { label: body.label ?? target.label, revision: target.revision + 1 },
          },
        ],
        reply: success,
      }),
  }),
  endpoint({
    method: 'DELETE',
    path: '/{id}',
    summary: 'Delete',
    effect: 'destroys',
    params: Path,
    reply: succeeded,
    target: load,
    run: ({ target }) => change({ summary: 'Delete', rows: [{ write: 'delete', table: 'boxes', where: { id: target.id } }], reply: success }),
  }),
  endpoint({
    method: 'POST',
    path: '/key',
    summary: 'Make a key',
    effect: 'changes',
    reply: data(Type.Object({ key: Revealed() })),
    run: () => change({ summary: 'Make a key', reply: { key: 'shown-only-here' } }),
  }),
  endpoint({
    method: 'GET',
    path: '/sealed',
    summary: 'Show what is stored',
    effect: 'reads',
    query: Type.Object({ reveal: Reveal }),
    reply: data(Type.Object({ password: Secret(), isAsked: Type.Boolean() })),
    run: ({ query }) => ({ password: 'stored-and-sealed', isAsked: query.reveal }),
  }),
  endpoint({
    method: 'GET',
    path: '/flat',
    summary: 'Flat',
    effect: 'reads',
    reply: flat(Type.Object({ version: Text(10) })),
    run: () => ({ version: '1' }),
  }),
  endpoint({
    method: 'POST',
    path: '/job',
    summary: 'Start',
    effect: 'changes',
    reply: accepted,
    run: () =>
      change({
        summary: 'Start',
        jobs: [{ kind: 'boxes.work', input: {}, ownerId: null, title: 'Work' }],
        reply: ({ jobIds }) => ({ job_id: jobIds[0] as number }),
      }),
  }),
  endpoint({
    method: 'GET',
    path: '/events',
    summary: 'Follow',
    effect: 'reads',
    reply: events(Type.Object({ n: Type.Integer(), password: Secret() })),
    run: ({ signal, lastEventId, boxes }) => count(signal, lastEventId ?? 0, boxes),
  }),
  endpoint({
    method: 'GET',
    path: '/broken-events',
    summary: 'Break off',
    effect: 'reads',
    reply: events(Type.Object({ n: Type.Integer() })),
    run: async function* () {
      yield { value: { n: 1 } }
      throw new Error('secret text')
    } as never,
  }),
  endpoint({
    method: 'GET',
    path: '/deaf-events',
    summary: 'Ignore the signal',
    effect: 'reads',
    reply: events(Type.Object({ n: Type.Integer() })),
    run: async function* () {
      yield { value: { n: 1 } }
      await new Promise(() => {})
    } as never,
  }),
  endpoint({
    method: 'GET',
    path: '/file',
    summary: 'Download',
    effect: 'reads',
    reply: bytes('text/html'),
    run: ({ range }) =>
      range
        ? { stream: Readable.from(['23']), mediaType: 'text/html', sizeBytes: 2, range: { start: 1, end: 2, totalBytes: 4 }, acceptsRanges: true }
        : { stream: Readable.from(['1234']), mediaType: 'text/html', fileName: 'ä "quoted".html', sizeBytes: 4, acceptsRanges: true, etag: '"x"' },
  }),
  endpoint({
    method: 'POST',
    path: '/upload',
    summary: 'Upload',
    effect: 'changes',
    body: upload(Type.Object({ path: Text(100) }), { maxBytes: 100_000 }),
    reply: data(Type.Object({ path: Text(100), name: Text(100), size: Type.Integer() })),
    run: ({ body }) =>
      change({
        summary: 'Upload',
        steps: [step(readUpload, {}, body.stream)],
        reply: ({ results }) => ({ path: body.fields.path, name: body.fileName ?? '', size: results[0].sizeBytes }),
      }),
  }),
  endpoint({
    method: 'GET',
    path: '/super',
    summary: 'SU',
    effect: 'reads',
    guard: superuser,
    query: Type.Object({ n: Type.Integer({ minimum: 1, maximum: 5 }) }),
    reply: succeeded,
    run: () => success,
  }),
  endpoint({
    method: 'GET',
    path: '/open',
    summary: 'Open',
    effect: 'reads',
    guard: open('a test'),
    reply: succeeded,
    run: (request) => (request.caller.user.id > 0 ? success : success),
  }),
  endpoint({
    method: 'GET',
    path: '/wrong',
    summary: 'Open unless wrong',
    effect: 'reads',
    guard: openUnlessWrong('a test'),
    reply: data(Type.Object({ known: Type.Boolean() })),
    run: ({ callerIfAny }) => ({ known: callerIfAny !== undefined }),
  }),
  endpoint({
    method: 'GET',
    path: '/hidden',
    summary: 'Undeclared',
    effect: 'reads',
    reply: succeeded,
    run: () => {
      throw Hidden('hidden text')
    },
  }),
  endpoint({
    method: 'GET',
    path: '/bug',
    summary: 'Bug',
    effect: 'reads',
    reply: succeeded,
    run: () => {
      throw new Error('secret text of a bug')
    },
  }),
  endpoint({
    method: 'GET',
    path: '/teapot',
    summary: 'Other status',
    effect: 'reads',
    reply: succeeded,
    throws: { brewing: at(503, Hidden) },
    run: () => {
      throw Hidden('too hot')
    },
  }),
  endpoint({
    method: 'GET',
    path: '/refuse',
    summary: 'Refuse',
    effect: 'reads',
    reply: succeeded,
    run: () => {
      throw BadRequest('n: is wrong', { fields: { hint: 'try 2' } })
    },
  }),
  endpoint({
    method: 'GET',
    path: '/slow',
    summary: 'Slow',
    effect: 'reads',
    timeoutMs: 30,
    reply: succeeded,
    run: ({ signal, boxes }) => (boxes.signals.push(signal), new Promise<never>(() => {})),
  }),
  endpoint({
    method: 'POST',
    path: '/slow',
    summary: 'Slow change',
    effect: 'changes',
    timeoutMs: 30,
    reply: succeeded,
    run: () => change({ summary: 'Hang', steps: [step(hang, null)], reply: success }),
  }),
  endpoint({
    method: 'POST',
    path: '/hang',
    summary: 'Hang',
    effect: 'changes',
    reply: succeeded,
    run: ({ signal, boxes }) => (boxes.signals.push(signal), change({ summary: 'Hang', steps: [step(hang, null)], reply: success })),
  }),
  endpoint({
    method: 'POST',
    path: '/limited',
    summary: 'Limited',
    effect: 'changes',
    body: Type.Object({ who: Text(20) }),
    rateLimit: { perMinute: 3, keys: ({ body }) => [body.who] },
    reply: succeeded,
    run: () => change({ summary: 'Limited', reply: success }),
  }),
  endpoint({
    method: 'POST',
    path: '/lenient',
    summary: 'Lenient',
    effect: 'changes',
    isLenient: true,
    body: Type.Object({ note: Optional(Text(10)) }),
    reply: data(Type.Object({ note: Text(10) })),
    run: ({ body }) => change({ summary: 'Lenient', reply: { note: body.note ?? 'none' } }),
  }),
  endpoint({
    method: 'POST',
    path: '/refused',
    summary: 'Refused and recorded',
    effect: 'changes',
    body: Type.Object({ password: Secret() }),
    recordsRefusals: true,
    reply: succeeded,
    run: () => {
      throw BadRequest('password: is wrong')
    },
  }),
]

const sampleArea = (name: string, errors: ErrorStyle, more: object = {}) =>
  area({ name, title: name, base: `/${name}`, guard: permission('websites_management'), errors, endpoints, open: (_deps: unknown) => ({}), ...more })

const user = (id: number, isAdmin: boolean, ...slugs: readonly PermissionSlug[]): Omit<Caller, 'ip' | 'userAgent' | 'requestId'> => ({
  user: { id, email: `${id}@example.com`, isAdmin, username: null },
  permissions: new Set(slugs),
  sessionId: id,
  keyId: null,
})
const callers = new Map([
  ['admin', user(1, true)],
  ['ada', user(2, false, 'websites_management')],
  ['eve', user(3, false)],
])

/** A surface with one small area in the three error styles, one behind a plugin and one behind a feature. */
export async function openSample(trustedProxies: readonly string[] = []) {
  const boxesMigration = {
    name: '202601010000-boxes',
    statements: ['create table boxes (id integer primary key, label text not null, revision integer not null)'],
  }
  const store = await openStore({ now: new Date(), migrations: [jobMigration, changeMigration, boxesMigration] })
  const lines: { readonly level: string; readonly fields: object; readonly message: string }[] = []
  const note = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message })
  const log: Log = { info: note('info'), warn: note('warn'), error: note('error') }
  const boxes: Context['boxes'] = { store, uploads: [], signals: [], closed: 0 }
  const refusals: object[] = []
  const gates: Gates = {
    credentials: {
      find: (token, visitor) => {
        const found = callers.get(token)
        return found && { ...visitor, ...found }
      },
    },
    switches: { isPluginEnabled: () => false, isFeatureEnabled: () => false },
    executor: openExecutor({ store, log }),
    log,
    heartbeatMs: 25,
    nextId: store.nextId,
    running: new Set<Running>(),
    recordEntry: async (entry) => void refusals.push(entry),
  }
  const areas = [
    sampleArea('boxes', 'coded'),
    sampleArea('quiet', 'message-only'),
    sampleArea('plain', 'flat'),
    sampleArea('plugged', 'coded', { plugin: 'uptime' }),
    sampleArea('licensed', 'coded', { feature: 'clusters', plugin: 'uptime' }),
  ]
  const routes = routesOf(areas.map((each) => ({ area: each, context: { boxes } })))
  const http = await openHttp({ routes, gates, trustedProxies, accessLog: log })
  return { http, app: http.app, store, boxes, routes, lines, refusals, gates }
}
