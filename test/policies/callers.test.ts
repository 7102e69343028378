import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { apiKeys } from '../../src/areas/users/store.ts'
import { sessions } from '../../src/areas/auth/store.ts'
import { describeGuard } from '../../src/core/guard.ts'
import { type PermissionSlug, permissionSlugs } from '../../src/core/permissions.ts'
import { NotFound } from '../../src/core/problem.ts'
import { openHttp } from '../../src/surfaces/http/server.ts'
import type { Route } from '../../src/surfaces/routes.ts'
import { openTestPanel, type Person, type TestPanel } from '../support/panel.ts'
import { ask } from '../support/request.ts'

/** What a credential is worth: nothing, an account without rights, one permission, or everything. */
type Worth = 'nothing' | 'account' | 'everything' | PermissionSlug

/** A credential; absent where none is sent. */
interface Credential {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly worth: Worth
  /** Set for a key with limits, which changes the access of nobody. */
  readonly isLimited?: true
}

type Verdict = 'admitted' | 'unauthorized' | 'forbidden'

const telemetrySecret = 'of the monitoring server'
const secretHeader = { 'x-telemetry-token': telemetrySecret }
const reached = 'the run was reached'
const past = new Date(Date.now() - 1000).toISOString()

/** What each guard answers, written down once more: the code under test has its own opinion (core/guard.ts). */
const verdicts: Readonly<Record<string, (worth: Worth) => Verdict>> = {
  NONE: () => 'admitted',
  'NONE, with a valid credential if any': (worth) => (worth === 'nothing' ? 'unauthorized' : 'admitted'),
  AUTH: (worth) => (worth === 'nothing' ? 'unauthorized' : 'admitted'),
  SU: (worth) => needs(worth, ['everything']),
  'PERM(websites_management)': (worth) => needs(worth, ['everything', 'websites_management']),
  'PERM(administrative_operations)': (worth) => needs(worth, ['everything', 'administrative_operations']),
  'PERM(plugins_management)': (worth) => needs(worth, ['everything', 'plugins_management']),
  'PERM(booting_users_management)': (worth) => needs(worth, ['everything', 'booting_users_management']),
  // a user's credential is none here: these read a header, or a token in the query
  'KEY(X-Telemetry-Token)': () => 'unauthorized',
  'KEY(Authorization)': () => 'unauthorized',
  'KEY(X-Panel-Sync-Key)': () => 'unauthorized',
  'KEY(X-Panel-Sync-Key) or SU': (worth) => needs(worth, ['everything']),
  'SOCKET(ai-tui)': () => 'unauthorized',
  'SOCKET(terminal)': () => 'unauthorized',
  'SOCKET(container)': () => 'unauthorized',
  'SOCKET(partner-chat)': () => 'unauthorized',
}

const needs = (worth: Worth, enough: readonly Worth[]): Verdict => {
  if (worth === 'nothing') return 'unauthorized'
  return enough.includes(worth) ? 'admitted' : 'forbidden'
}

/** Guards of endpoints that must not be widened by mistake, independent of the declarations. */
const known: Readonly<Record<string, string>> = {
  'POST /api/auth/login': 'NONE',
  'POST /api/auth/refresh': 'NONE',
  'GET /api/version': 'NONE, with a valid credential if any',
  'GET /api/auth/me': 'AUTH',
  'POST /api/auth/socket-token': 'AUTH',
  'POST /api/auth/reset-password': 'SU',
  'POST /api/auth/otp/reset': 'SU',
  'POST /api/licence/activate': 'SU',
  'POST /api/settings/server-name': 'SU',
  'POST /api/system/processes/{pid}/kill': 'SU',
  'POST /api/programs/{name}/install': 'SU',
  'POST /api/users': 'PERM(booting_users_management)',
  'DELETE /api/users/{uid}': 'PERM(booting_users_management)',
  'POST /api/users/{uid}/sudo': 'PERM(booting_users_management)',
  'POST /api/users/{uid}/permissions': 'PERM(booting_users_management)',
  'POST /api/plugins/{name}/enable': 'PERM(plugins_management)',
  'POST /api/services/{name}/stop': 'PERM(administrative_operations)',
  'POST /api/lbproxy/config': 'PERM(administrative_operations)',
  'POST /api/filemanager/write': 'PERM(websites_management)',
  'DELETE /api/websites/{id}': 'PERM(websites_management)',
  'GET /api/telemetry/metrics': 'KEY(X-Telemetry-Token)',
  'POST /api/mcp': 'KEY(Authorization)',
  'POST /api/authdns/import-bind': 'KEY(X-Panel-Sync-Key)',
  'POST /api/authdns/sync-zone': 'KEY(X-Panel-Sync-Key) or SU',
  'POST /api/authdns/sync-push': 'SU',
  'POST /api/sqldb/replication/dump': 'KEY(X-Panel-Sync-Key) or SU',
  'POST /api/sqldb/replication/dump-users': 'KEY(X-Panel-Sync-Key) or SU',
  'POST /api/settings/sqldb/replication/skip-error': 'SU',
  'POST /api/mcp-keys': 'SU',
  'POST /api/mcp-keys/tls/regenerate': 'SU',
  'POST /api/mcp-keys/approvals/{id}/approve': 'SU',
  'GET /api/containers/containers/{id}/exec': 'SOCKET(container)',
  'GET /api/ai/tui': 'SOCKET(ai-tui)',
  'GET /api/users/{uid}/terminal': 'SOCKET(terminal)',
}

/** What a limited key must never reach, independent of the declarations. */
const changesOfAccess: ReadonlySet<string> = new Set([
  'POST /api/users',
  'POST /api/users/register-existing',
  'PATCH /api/users/{uid}',
  'POST /api/users/{uid}/api-keys',
  'POST /api/users/{uid}/permissions',
  'POST /api/users/{uid}/sudo',
  'POST /api/users/{uid}/ssh-keys',
  'DELETE /api/users/{uid}/ssh-keys/{id}',
  'POST /api/auth/password',
  'POST /api/auth/reset-password',
  'POST /api/auth/api-keys',
  'DELETE /api/auth/api-keys/{kid}',
  'DELETE /api/auth/sessions',
  'DELETE /api/auth/sessions/{id}',
  'POST /api/auth/otp/setup',
  'POST /api/auth/otp/enable',
  'POST /api/auth/otp/disable',
  'POST /api/auth/otp/recovery-codes',
  'POST /api/auth/otp/reset',
  'POST /api/auth/passkeys',
  'DELETE /api/auth/passkeys/{id}',
  'PUT /api/notifications/channels',
  'POST /api/notifications/delete',
  'PUT /api/websites/{id}/crontab',
  'POST /api/websites/{id}/databases',
  'POST /api/databases',
  'POST /api/databases/{id}/duplicate',
  'POST /api/databases/{id}/users',
  'DELETE /api/databases/{id}/users/{username}',
  'POST /api/databases/{id}/users/{username}/reset-password',
  'POST /api/docdb-server/users',
  'DELETE /api/docdb-server/users/{username}',
  'POST /api/databases/sqlalt/admin/associate',
  'POST /api/databases/sqlalt/{id}/users',
  'DELETE /api/databases/sqlalt/{id}/users/{username}',
  'POST /api/databases/sqlalt/{id}/users/{username}/reset-password',
  'POST /api/databases/docdb/admin/associate',
  'POST /api/databases/docdb/{id}/users',
  'DELETE /api/databases/docdb/{id}/users/{username}',
  'POST /api/databases/docdb/{id}/users/{username}/reset-password',
  'POST /api/firewall/disable',
  'POST /api/manifest/apply',
  'PATCH /api/settings/panel',
  'POST /api/settings/remote-logging',
  'POST /api/settings/ssh-audit/forward',
  'POST /api/settings/ssh-audit/rewrite',
  'POST /api/settings/ssh-audit/toggle',
  'POST /api/drift/{id}/revert',
  'POST /api/system/snapshots/{name}/restore',
  'POST /api/system/backup/restore/{filename}',
  'GET /api/system/backup/download/{filename}',
  'POST /api/settings/backup/get-key',
  'POST /api/settings/backup/generate-key',
  'POST /api/sqlproxy/admin-password',
  'POST /api/sqlproxy/monitor-user',
  'POST /api/sqlproxy/users',
  'POST /api/vpn-gateway/acl',
  'POST /api/vpn-gateway/apikeys',
  'POST /api/vpn-gateway/preauthkeys',
  'POST /api/system/selfupdate',
  'POST /api/activity/{id}/undo',
  'POST /api/ai/setup',
  'POST /api/ai/config',
  'POST /api/ai/config/restore',
  'POST /api/ai/reconfigure-hive',
  'POST /api/ai/pairing/approve',
  'POST /api/ai/channel-a/config',
  'POST /api/ai/channel-a/pairings/approve',
  'POST /api/ai/channel-b/config',
  'POST /api/ai/channel-b/pairings/approve',
  'PUT /api/ai/crontab',
  'POST /api/ai/vault/export',
  'POST /api/ai/webconsole/enable-lan',
  'POST /api/mcp-keys',
  'POST /api/mcp-keys/{id}/toggle',
  'POST /api/mcp-keys/approvals/{id}/approve',
  'POST /api/mcp-keys/approvals/{id}/reject',
  'POST /api/authdns/sync-api-key',
  'DELETE /api/authdns/sync-api-key',
  'POST /api/sqldb/replication/init',
  'POST /api/sqldb/replication/slaves',
  'POST /api/sqldb/replication/accept',
])

describe('a caller', () => {
  let panel: TestPanel
  let app: FastifyInstance
  let stop: (graceMs: number) => Promise<void>
  let callers: ReadonlyMap<string, Credential>
  let requests = 0
  before(async () => {
    const environment = {
      HOSTREEVE_TELEMETRY_SECRET: telemetrySecret,
      HOSTREEVE_FEATURES: 'mailbox_backup',
    }
    panel = await openTestPanel({ environment })
    await panel.start() // a user is deleted by a job
    callers = new Map(Object.entries(await credentialsOf(panel)))
    const { gates } = panel
    const routes = panel.routes.map(withoutEffect)
    ;({ app, stop } = await openHttp({ routes, gates, trustedProxies: [], accessLog: gates.log }))
  })
  after(async () => {
    await stop(0)
    await panel.close()
  })

  /** Each request comes from an address of its own, as failed attempts are counted by address. */
  const verdictOn = async (
    { endpoint, path }: Route,
    { token, headers }: Pick<Credential, 'token' | 'headers'>,
    query = '',
  ): Promise<Verdict | string> => {
    const ip = `10.${64 + ((requests += 1) >> 16)}.${(requests >> 8) & 255}.${requests & 255}`
    const { status, json, text } = await ask(app, endpoint.method, path.replaceAll(/\{\w+\}/g, '1') + query, {
      ip,
      ...(token !== undefined && { as: token }),
      ...(headers && { headers }),
    })
    // flat for the monitors of telemetry, with code and envelope in every other area (decision 1.2)
    const code = path.startsWith('/api/telemetry/') ? json?.error : json?.error?.code
    if (status === 401 && code === 'unauthorized') return 'unauthorized'
    if (status === 403 && code === 'forbidden') return 'forbidden'
    const isBeyond = [400, 426].includes(status) || text.includes(reached) // refused for its input, or run
    return isBeyond ? 'admitted' : `${status} ${text}`
  }
  const lineOf = ({ endpoint, path }: Route) => `${endpoint.method} ${path}`

  it('is admitted by every endpoint as its guard says, with any credential', async () => {
    const wrong: string[] = []
    for (const route of panel.routes)
      for (const [name, credential] of callers) {
        const verdict = verdicts[guardOf(route)] ?? assert.fail(`${guardOf(route)} is not in the table`)
        const isSent = credential.token !== undefined
        const byGuard = isSent || !guardOf(route).startsWith('NONE') ? verdict(credential.worth) : 'admitted'
        const isKept = credential.isLimited && changesOfAccess.has(lineOf(route))
        const expected = isKept && byGuard === 'admitted' ? 'forbidden' : byGuard
        const found = await verdictOn(route, credential)
        if (found !== expected) wrong.push(`${lineOf(route)}, ${name}: ${found}, not ${expected}`)
      }
    assert.deepEqual(wrong, [])
    assert.ok(panel.routes.length > 180 && callers.size > 15, `${panel.routes.length} x ${callers.size}`)
  })

  it('changes the access of somebody by the endpoints in the list alone', () => {
    const declared = panel.routes.filter(({ endpoint }) => endpoint.changesAccess).map(lineOf)
    assert.deepEqual(declared.sort(), [...changesOfAccess].sort())
  })

  it('finds the guards of delicate endpoints unchanged', () => {
    const declared = Object.fromEntries(panel.routes.map((route) => [lineOf(route), guardOf(route)]))
    for (const [line, guard] of Object.entries(known)) assert.equal(declared[line], guard, line)
    const used = new Set(panel.routes.map(guardOf))
    assert.deepEqual(
      Object.keys(verdicts).filter((guard) => !used.has(guard)),
      [],
    )
  })

  it('is admitted by endpoints with a key of their own only with this key', async () => {
    const keyed = panel.routes.filter(
      ({ guard }) => guard.kind === 'key' && guard.header === 'X-Telemetry-Token',
    )
    assert.ok(keyed.length > 0)
    for (const route of keyed) {
      assert.equal(await verdictOn(route, { headers: secretHeader }), 'admitted', lineOf(route))
      const wrong = { 'x-telemetry-token': `${telemetrySecret}.` }
      assert.equal(await verdictOn(route, { headers: wrong }), 'unauthorized', lineOf(route))
    }
  })

  it('calls as an agent only with a key for agents', async () => {
    const { data } = await panel.request('POST', '/api/mcp-keys', {
      as: panel.admin,
      body: { user_id: panel.admin.id },
    })
    const route = panel.routes.find(({ path }) => path === '/api/mcp') ?? assert.fail()
    assert.match(await verdictOn(route, { token: data.token }), /^200 /) // an answer of JSON-RPC
    assert.equal(await verdictOn(route, { token: `${data.token.slice(0, -1)}g` }), 'unauthorized')
  })

  it('opens a socket only with a token for it', async () => {
    for (const route of panel.routes) {
      if (route.guard.kind !== 'socket-token') continue
      const { purpose: own } = route.guard
      const tokenFor = async (purpose: string) =>
        (
          await panel.request('POST', '/api/auth/socket-token', {
            as: panel.admin,
            body: { purpose, uid: 1 },
          })
        ).data.token
      assert.equal(await verdictOn(route, {}, `?token=${await tokenFor(own)}`), 'admitted')
      const other = own === 'terminal' ? 'container' : 'terminal'
      assert.equal(await verdictOn(route, {}, `?token=${await tokenFor(other)}`), 'unauthorized')
    }
  })
})

/** The guard in the contract's notation, which does not tell that one open endpoint checks what is sent. */
const guardOf = ({ guard }: Route): string =>
  guard.kind === 'open' && guard.checksCredential
    ? 'NONE, with a valid credential if any'
    : describeGuard(guard)

/** The route with its guard, gates and input, whose run does nothing: what is admitted must not change the host. */
function withoutEffect(route: Route): Route {
  const run = () => {
    throw NotFound(reached)
  }
  const { target: _target, ...endpoint } = route.endpoint
  return { ...route, endpoint: { ...endpoint, run } as Route['endpoint'] }
}

async function credentialsOf(panel: TestPanel): Promise<Readonly<Record<string, Credential>>> {
  const { admin } = panel
  const plain = await panel.person()
  const suspended = await panel.person({ isAdmin: true, isSuspended: true })
  const keyOf = async (person: Person, body: object = {}): Promise<{ id: number; key: string }> => {
    const draft = { name: 'robot', ...body }
    return (await panel.request('POST', '/api/auth/api-keys', { as: person, body: draft })).data
  }
  const write = (row: ReturnType<typeof apiKeys.updateWhere>) =>
    panel.store.transaction((tx) => panel.store.write(tx, [row]))
  const expiredKey = await keyOf(admin, { expires_at: new Date(Date.now() + 60_000).toISOString() })
  await write(apiKeys.updateWhere({ id: expiredKey.id }, { expires_at: past }))
  const expired = await panel.person({ isAdmin: true })
  await write(sessions.updateWhere({ id: expired.sessionId }, { access_expires_at: past }))
  const revoked = await keyOf(admin)
  await panel.request('DELETE', `/api/auth/api-keys/${revoked.id}`, { as: admin })
  const signedOut = await panel.person({ isAdmin: true })
  await panel.request('POST', '/api/auth/logout', { as: signedOut })
  const deleted = await panel.person({ isAdmin: true })
  const keyOfDeleted = await keyOf(deleted)
  await panel.request('DELETE', `/api/users/${deleted.id}`, { as: admin })
  const singles = await Promise.all(
    permissionSlugs.map(async (slug) => {
      const { token } = await panel.person({ permissions: [slug] })
      const { key } = await keyOf(admin, { permissions: [slug] })
      return [
        [`a user with ${slug}`, { token, worth: slug }],
        [`a superuser's key for ${slug}`, { token: key, worth: slug, isLimited: true }],
      ] as const
    }),
  )
  const invalid = {
    'a token of nobody': 'hra_nobody',
    'a refresh token': admin.refreshToken,
    'an expired session': expired.token,
    'an ended session': signedOut.token,
    'a suspended superuser': suspended.token,
    'an expired key': expiredKey.key,
    'a deleted key': revoked.key,
    'a key of a deleted superuser': keyOfDeleted.key,
    'a key from a refused address': (await keyOf(admin, { allowed_addresses: ['192.0.2.0/24'] })).key,
  }
  return {
    'no credential': { worth: 'nothing' },
    'a plain user': { token: plain.token, worth: 'account' },
    'a superuser': { token: admin.token, worth: 'everything' },
    "a plain user's key": { token: (await keyOf(plain)).key, worth: 'account' },
    "a superuser's key": { token: (await keyOf(admin)).key, worth: 'everything' },
    "a superuser's key from its address": {
      token: (await keyOf(admin, { allowed_addresses: ['10.64.0.0/10'] })).key,
      worth: 'everything',
      isLimited: true,
    },
    ...Object.fromEntries(singles.flat()),
    ...Object.fromEntries(
      Object.entries(invalid).map(([name, token]) => [name, { token, worth: 'nothing' }] as const),
    ),
  }
}
