import Type from 'typebox'
import { area } from '../../src/core/area.ts'
import type { Caller } from '../../src/core/caller.ts'
import { change } from '../../src/core/change.ts'
import { at, local, styled } from '../../src/core/endpoint.ts'
import { key, type KeyVerdict, open, signedIn, socketToken, superuser } from '../../src/core/guard.ts'
import { problem } from '../../src/core/problem.ts'
import { created, data, flat, rpc, socket, succeeded, success } from '../../src/core/reply.ts'
import { Optional, Text } from '../../src/core/schemas.ts'

/** The context of the sample's endpoints: the configured keys. */
export interface Context {
  readonly forms: {
    readonly syncKey: string | undefined
    readonly monitorKey: string | undefined
    readonly owners: ReadonlyMap<string, Omit<Caller, 'ip' | 'userAgent' | 'requestId'>>
    readonly probes: string[]
  }
}

const { endpoint } = area.of<Context>()

const against = (wanted: string | undefined, sent: string): KeyVerdict =>
  wanted === undefined ? 'unset' : sent === wanted ? 'valid' : 'wrong'

const bySyncKey = key<Context>('X-Panel-Sync-Key', ({ forms }, sent) => against(forms.syncKey, sent.key))
const byPeer = key<Context>('X-Panel-Sync-Key', ({ forms }, sent) => against(forms.syncKey, sent.key), {
  orSuperuser: true,
})
const monitored = (whenUnset: 'loopback' | 'loopback-superuser') =>
  key<Context>('X-Telemetry-Token', ({ forms }, sent) => against(forms.monitorKey, sent.key), { whenUnset })
const byOwnKey = key<Context>(
  'Authorization',
  ({ forms }, { key: sent, visitor }) => {
    const owner = forms.owners.get(sent)
    return owner ? { ...visitor, ...owner } : 'wrong'
  },
  { orQuery: 'token' },
)

const reads = { method: 'GET', effect: 'reads', reply: succeeded, run: () => success } as const

/** Endpoints that are guarded by keys. */
const keyed = {
  sync: endpoint({ ...reads, path: '/sync', summary: 'Take a key alone', guard: bySyncKey }),
  peer: endpoint({ ...reads, path: '/peer', summary: 'Take a key or a superuser', guard: byPeer }),
  ping: endpoint({
    ...reads,
    path: '/ping',
    summary: 'Take a key once one is set',
    guard: monitored('loopback'),
  }),
  push: endpoint({
    ...reads,
    path: '/push',
    summary: 'Take a key, or a superuser of this host',
    guard: monitored('loopback-superuser'),
  }),
  whose: endpoint({
    ...reads,
    path: '/whose',
    summary: 'Take a key that belongs to a user',
    guard: byOwnKey,
    reply: data(Type.Object({ email: Text(100) })),
    run: ({ caller }) => ({ email: caller.user.email }),
  }),
}

const Refused = problem('refused', 500, 'The probe was refused')
const NoBackups = problem('no_backups', 404, 'There are no backups')
const BackendFailed = problem('dns_backend_error', 502, 'The DNS server refused', { passesStatus: true })
const ManagerFailed = problem('process_manager_error', 500, 'The process manager failed', {
  fields: Type.Object({ output: Text(1000) }),
})
const ActivationFailed = problem('activation_failed', 400, 'The licence was refused')

/** Endpoints that fail in the ways of the contract. */
const failing = {
  probe: endpoint({
    method: 'POST',
    path: '/probe',
    summary: 'Reach another host',
    effect: 'probes',
    body: Type.Object({ host: Text(100), password: Optional(Text(20)) }),
    reply: succeeded,
    throws: { refused: Refused },
    run: ({ body, forms }) => {
      forms.probes.push(body.host)
      if (body.host === 'down') throw Refused('host: down does not answer')
      return success
    },
  }),
  restore: endpoint({
    ...reads,
    path: '/restore',
    summary: 'Restore from nothing',
    throws: { no_backups: at(200, NoBackups) },
    run: () => {
      throw NoBackups()
    },
  }),
  readZone: endpoint({
    ...reads,
    path: '/zone/{status}',
    summary: 'Pass on a status',
    params: Type.Object({ status: Type.Integer({ minimum: 0, maximum: 999 }) }),
    throws: { dns_backend_error: BackendFailed },
    run: ({ params }) => {
      throw BackendFailed('the zone was refused', { status: params.status })
    },
  }),
  askManager: endpoint({
    ...reads,
    path: '/manager',
    summary: 'Fail with an output',
    throws: { process_manager_error: ManagerFailed },
    run: () => {
      throw ManagerFailed('it stopped', { fields: { output: 'exit 3' } })
    },
  }),
  search: endpoint({
    method: 'POST',
    path: '/search',
    summary: 'Save a search',
    effect: 'changes',
    category: local('a sample of a search'),
    body: Type.Object({ name: Text(20) }),
    invalid: { code: 'invalid_body', status: 422 },
    reply: created(Type.Object({ name: Text(20) })),
    run: ({ body }) => change({ summary: 'Save', reply: { name: body.name } }),
  }),
  activateLicense: endpoint({
    method: 'POST',
    path: '/license',
    summary: 'Activate a licence',
    effect: 'changes',
    category: local('a sample of a licence'),
    errors: 'flat',
    body: Type.Object({ license_key: Optional(Text(50)) }),
    reply: flat(
      Type.Union([
        Type.Object({ status: Type.Literal('already_licensed') }),
        Type.Object({ data: Type.Object({ tier: Text(20) }) }),
      ]),
    ),
    throws: { activation_failed: styled('coded', ActivationFailed) },
    run: ({ body }) => {
      if (body.license_key === 'wrong') throw ActivationFailed('the server refused it')
      const reply = body.license_key === undefined ? { status: 'already_licensed' as const } : undefined
      return change({ summary: 'Activate', reply: reply ?? { data: { tier: 'gold' } } })
    },
  }),
}

const Answer = Type.Object({ jsonrpc: Type.Literal('2.0'), id: Type.Integer(), result: Type.Integer() })

/** Endpoints that speak another protocol. */
const protocols = {
  callRpc: endpoint({
    method: 'POST',
    path: '',
    base: '/rpc',
    summary: 'Count by JSON-RPC',
    effect: 'probes',
    guard: byOwnKey,
    body: Type.Object({ id: Optional(Type.Integer({ minimum: 0, maximum: 100 })) }),
    reply: rpc(Answer),
    run: ({ body }) =>
      body.id === undefined
        ? undefined
        : { status: 200 as const, message: { jsonrpc: '2.0' as const, id: body.id, result: body.id + 1 } },
  }),
  openTerminal: endpoint({
    method: 'GET',
    path: '/{uid}/terminal',
    summary: 'Open a terminal',
    effect: 'probes',
    guard: socketToken('terminal'),
    params: Type.Object({ uid: Type.Integer({ minimum: 1, maximum: 100 }) }),
    reply: socket,
    run:
      ({ params, tokenUserId, caller }) =>
      async (connection) => {
        await connection.send(`${caller.user.email} ${params.uid} ${tokenUserId}`)
        for await (const message of connection.messages) {
          if (message === 'fail') throw new Error('secret text')
          if (message === 'done') return
          await connection.send(message)
        }
      },
  }),
}

/** An area in every form that the contract has and no area of the panel needs yet. */
export const forms = area({
  name: 'forms',
  title: 'Forms',
  base: '/forms',
  bases: ['/rpc'],
  guard: signedIn,
  errors: 'coded',
  endpoints: { ...keyed, ...failing, ...protocols },
  open: (_deps: unknown): Context => ({
    forms: { syncKey: undefined, monitorKey: undefined, owners: new Map(), probes: [] },
  }),
})

/** The same behind a feature and a plugin. */
export const licensed = area({
  ...forms,
  name: 'licensed',
  base: '/licensed',
  bases: [],
  guard: superuser,
  feature: 'mailbox_backup',
  plugin: 'mailbox-backup',
  endpoints: {
    readLicensed: endpoint({ ...reads, path: '', summary: 'Read behind a feature' }),
    readLicensedOpenly: endpoint({
      ...reads,
      path: '/open',
      summary: 'Read openly',
      guard: open('a sample of an open one'),
    }),
  },
})
