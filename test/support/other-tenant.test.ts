import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TSchema } from 'typebox'
import { insertRow } from '../../src/store/rows.ts'
import type { Route } from '../../src/surfaces/routes.ts'
import { declaredRoutes } from '../../scripts/generated.ts'
import { openTestPanel, type Person, type TestPanel } from './panel.ts'

/** What tenants may hold; whoever holds more administers the host, and is refused here by the guard. */
const tenants = ['websites_management', 'terminal_access'] as const

/** What a field must hold, where its schema alone does not tell, so that it is the id that is refused. */
const samples: Readonly<Record<string, unknown>> = {
  name: 'other.example.com',
  domain: 'other.example.com',
  mode: '0644',
  permissions: [],
}

describe('another tenant, with every permission that tenants have', () => {
  let panel: TestPanel
  let owner: Person
  let stranger: Person
  let ids: Readonly<Record<string, Readonly<Record<string, string>>>>
  before(async () => {
    panel = await openTestPanel({
      accounts: new Map([
        ['ada', { uid: 1000 }],
        ['bob', { uid: 1001 }],
      ]),
    })
    owner = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    stranger = await panel.person({ username: 'bob', permissions: tenants })
    const key = await panel.request('POST', `/api/users/${owner.id}/api-keys`, {
      as: panel.admin,
      body: { name: 'script' },
    })
    const job = await panel.jobs.enqueue({ kind: 'test.waits', input: {}, ownerId: owner.id, title: 'A job' })
    const website = await addWebsite(panel, owner)
    ids = {
      auth: { id: String(owner.sessionId) },
      users: { uid: String(owner.id), kid: String(key.data.id) },
      jobs: { id: String(job) },
      websites: { id: String(website), name: 'alias.ada.example.com' },
      filemanager: { website_id: String(website), id: String(await addUpload(panel, owner)) },
    }
  })
  after(() => panel.close())

  const named = declaredRoutes().filter(
    ({ path, guard }) => path.includes('{') && guard.kind !== 'superuser' && guard.kind !== 'open',
  )
  const filing = declaredRoutes().filter(
    ({ endpoint }) => 'website_id' in fieldsOf(endpoint.query) || 'website_id' in fieldsOf(bodyOf(endpoint)),
  )

  for (const route of named) {
    const { endpoint, path } = route
    test(`gets nowhere with ${endpoint.method} ${path}`, async () => {
      const names = ids[route.area.name]
      const full = path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) =>
          names?.[name] ??
          (isAdministration(route.guard)
            ? '1'
            : assert.fail(`say in this test what ${path} of a tenant is, and refuse it to others`)),
      )
      const sample = sampleOf(endpoint)
      const { status, error } = isUpload(endpoint)
        ? await panel.request(endpoint.method, `${full}?${queryOf(sample)}`, {
            as: stranger,
            body: 'bytes',
            headers: bytes,
          })
        : await panel.request(endpoint.method, full, { as: stranger, body: sample })
      assert.deepEqual(
        [status, error.code],
        isAdministration(route.guard) ? [403, 'forbidden'] : refusal(path),
      )
    })
  }

  for (const route of filing) {
    const { endpoint, path } = route
    test(`reaches no files with ${endpoint.method} ${path}`, async () => {
      for (const [whose, expected] of [
        [{ username: 'ada' }, 403],
        [{ website_id: Number(ids['filemanager']?.['website_id']) }, 404],
        [{ username: 'root' }, 403],
      ] as const) {
        const inQuery = endpoint.method === 'GET' || isUpload(endpoint)
        const query = inQuery
          ? `?${queryOf({ ...valuesOf(endpoint.query), path: 'notes.txt', name: 'notes.txt', ...whose })}`
          : ''
        const body = inQuery
          ? isUpload(endpoint)
            ? 'bytes'
            : undefined
          : { ...sampleOf(endpoint), ...whose }
        const { status, text } = await panel.request(endpoint.method, path + query, {
          as: stranger,
          ...(body !== undefined && { body }),
          headers: isUpload(endpoint) ? bytes : { 'content-type': 'application/json' },
        })
        assert.equal(status, expected, `${JSON.stringify(whose)}: ${text}`)
      }
    })
  }

  test('left everything of the owner as it was', async () => {
    assert.equal((await panel.request('GET', '/api/auth/me', { as: owner })).status, 200)
    for (const path of [`/api/websites/${ids['websites']?.['id']}`, `/api/jobs/${ids['jobs']?.['id']}`])
      assert.equal((await panel.request('GET', path, { as: owner })).status, 200)
    const changes = (
      await panel.request('GET', `/api/activity?user_id=${stranger.id}&status=ok`, { as: panel.admin })
    ).data.items
    assert.deepEqual(changes, [])
  })
})

function isAdministration(guard: Route['guard']): boolean {
  return guard.kind === 'permission' && !(tenants as readonly string[]).includes(guard.slug)
}

/** The permissions of others may be asked for and are refused by name; everything else is not there. */
function refusal(path: string): readonly [number, string] {
  return path === '/api/users/{uid}/permissions' ? [403, 'forbidden'] : [404, 'not_found']
}

const bytes = { 'content-type': 'application/octet-stream' }
const queryOf = (values: object) =>
  new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]))

type Endpoint = Route['endpoint']

const isUpload = ({ body }: Endpoint): boolean =>
  body !== undefined && 'kind' in body && body.kind === 'upload'

function bodyOf({ body }: Endpoint): TSchema | undefined {
  return body !== undefined && 'kind' in body && body.kind === 'upload'
    ? body.fields
    : (body as TSchema | undefined)
}

function fieldsOf(schema: TSchema | undefined): Readonly<Record<string, TSchema>> {
  return (schema as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {}
}

const sampleOf = (endpoint: Endpoint): Record<string, unknown> => valuesOf(bodyOf(endpoint))

/** A value for each field that a schema wants. */
function valuesOf(schema: TSchema | undefined): Record<string, unknown> {
  const { required = [] } = (schema ?? {}) as { required?: readonly string[] }
  const fields = fieldsOf(schema)
  return Object.fromEntries(
    required.map((name) => [name, samples[name] ?? valueOf(fields[name] as TSchema & Hints)]),
  )
}

interface Hints {
  readonly type?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly items?: TSchema & Hints
}

function valueOf(schema: TSchema & Hints): unknown {
  const { type, default: fallback, enum: values, minimum, items } = schema
  if (fallback !== undefined) return fallback
  if (values) return values[0]
  if (type === 'integer' || type === 'number') return minimum ?? 1
  if (type === 'boolean') return false
  if (type === 'array') return items ? [valueOf(items)] : []
  if (type === 'object') return valuesOf(schema)
  return 'notes.txt'
}

async function addWebsite(panel: TestPanel, { id: user_id }: Person): Promise<number> {
  const id = panel.store.nextId('websites')
  const at = new Date().toISOString()
  const row = {
    id,
    domain: 'ada.example.com',
    user_id,
    username: 'ada',
    type: 'static' as const,
    root: '/home/ada/sites/ada.example.com/public',
    is_suspended: 0,
    created_at: at,
    updated_at: at,
    revision: 1,
  }
  await panel.store.transaction((tx) =>
    panel.store.write(tx, [
      insertRow('websites', row),
      insertRow('website_aliases', { name: 'alias.ada.example.com', website_id: id }),
    ]),
  )
  return id
}

async function addUpload(panel: TestPanel, { id: user_id }: Person): Promise<number> {
  const id = panel.store.nextId('file_uploads')
  const at = new Date().toISOString()
  const times = { created_at: at, expires_at: '2999-01-01T00:00:00.000Z' }
  const file = {
    name: 'a1',
    path: JSON.stringify('notes.txt'),
    size_bytes: 5,
    sha256: null,
    if_match: null,
    overwrite: 0,
  }
  const row = {
    id,
    user_id,
    username: 'ada',
    ...file,
    state: 'open' as const,
    firm_bytes: 0,
    sealed_etag: null,
    file: null,
    ...times,
  }
  await panel.store.transaction((tx) => panel.store.write(tx, [insertRow('file_uploads', row)]))
  return id
}
