import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TSchema } from 'typebox'
import type { Route } from '../../src/surfaces/routes.ts'
import { declaredRoutes } from '../../scripts/generated.ts'
import { openTestPanel, type Person, type TestPanel } from './panel.ts'
import { readTenantSamples, type SampleParams, type TenantSamples } from './tenant-samples.ts'

/** The permissions that tenants can have; endpoints that need others are refused by the guard. */
const tenants = ['websites_management', 'terminal_access'] as const

describe('another tenant, with every permission that tenants have', () => {
  let panel: TestPanel
  let owner: Person
  let stranger: Person
  let samples: ReadonlyMap<string, TenantSamples>
  const ids: Record<string, SampleParams> = {}
  let ownBefore: readonly string[]
  before(async () => {
    panel = await openTestPanel({
      accounts: new Map([
        ['ada', { uid: 1000 }],
        ['bob', { uid: 1001 }],
      ]),
      scripts: [
        ([program]) => (program === 'journalctl' ? {} : undefined), // nobody has signed in over SSH
        ([program]) => (program === 'sshd' ? { code: 127 } : undefined),
      ],
    })
    owner = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    stranger = await panel.person({ username: 'bob', permissions: tenants })
    samples = await readTenantSamples()
    for (const [area, { params }] of samples) if (params) ids[area] = await params(panel, owner, ids)
    ownBefore = await ownReads()
  })
  after(() => panel.close())

  const named = declaredRoutes().filter(
    ({ path, guard, name }) =>
      path.includes('{') &&
      guard.kind !== 'superuser' &&
      guard.kind !== 'socket-token' && // no credential of a caller: endpoints.test.ts of terminal
      guard.kind !== 'open' &&
      name !== 'deleteOwnApiKey', // answers 200 for a key of another user and leaves it (4.23): endpoints.test.ts of auth
  )
  const filing = declaredRoutes().filter(
    ({ area, endpoint, guard }) =>
      guard.kind !== 'superuser' && // refused before anything is looked up
      area.name !== 'databases' && // a user name there is that of an account to be made: endpoints.tool.test.ts of databases
      ('website_id' in fieldsOf(endpoint.query) || 'website_id' in fieldsOf(bodyOf(endpoint))),
  )

  for (const route of named) {
    const { endpoint, path } = route
    test(`gets nowhere with ${endpoint.method} ${path}`, async () => {
      const full = pathOf(route)
      const sample = valuesOf(bodyOf(endpoint), fieldsKnownTo(route))
      const { status, error } = isUpload(endpoint)
        ? await panel.request(endpoint.method, `${full}?${queryOf(sample)}`, {
            as: stranger,
            body: 'bytes',
            headers: bytes,
          })
        : await panel.request(
            endpoint.method,
            `${full}?${queryOf(valuesOf(endpoint.query, fieldsKnownTo(route)))}`,
            {
              as: stranger,
              body: sample,
            },
          )
      assert.deepEqual(
        [status, error.code],
        isAdministration(route.guard) ? [403, 'forbidden'] : refusal(path),
      )
    })
  }

  for (const route of filing) {
    const { endpoint, path } = route
    test(`reaches no files with ${endpoint.method} ${path}`, async () => {
      const known = fieldsKnownTo(route)
      for (const [whose, expected] of [
        [{ username: 'ada' }, 403],
        [{ website_id: Number(ids['websites']?.['id']) }, 404],
        [{ username: 'root' }, 403],
      ] as const) {
        const inQuery = endpoint.method === 'GET' || isUpload(endpoint)
        const query = inQuery
          ? `?${queryOf({ ...valuesOf(endpoint.query, known), path: 'notes.txt', name: 'notes.txt', ...whose })}`
          : ''
        const body = inQuery
          ? isUpload(endpoint)
            ? 'bytes'
            : undefined
          : { ...valuesOf(bodyOf(endpoint), known), ...whose }
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
    assert.ok(ownBefore.filter((line) => line.startsWith('200 ')).length > 3, ownBefore.join('\n'))
    assert.deepEqual(await ownReads(), ownBefore)
    const changes = (
      await panel.request('GET', `/api/activity?user_id=${stranger.id}&status=ok`, { as: panel.admin })
    ).data.items
    assert.deepEqual(changes, [])
  })

  /** The path of an object of the owner; any path for administration. */
  function pathOf({ area, guard, path }: Route): string {
    return path.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) =>
        ids[area.name]?.[name] ??
        (isAdministration(guard)
          ? '1'
          : assert.fail(`src/areas/${area.name}/testing/tenant-samples.ts has no ${name} for ${path}`)),
    )
  }

  function fieldsKnownTo({ area }: Route): Readonly<Record<string, unknown>> {
    return samples.get(area.name)?.fields ?? {}
  }

  /** The owner's replies for all readable objects, one line each. */
  async function ownReads(): Promise<readonly string[]> {
    const lines: string[] = []
    for (const route of named) {
      if (route.endpoint.method !== 'GET' || route.endpoint.reply.kind !== 'data') continue
      const { status } = await panel.request('GET', pathOf(route), { as: owner })
      lines.push(`${status} ${route.path}`)
    }
    return lines
  }
})

function isAdministration(guard: Route['guard']): boolean {
  return guard.kind === 'permission' && !(tenants as readonly string[]).includes(guard.slug)
}

/** Requests about other users are refused, also where there is no such user; everything else is not found. */
function refusal(path: string): readonly [number, string] {
  return path.startsWith('/api/users/{uid}/') ? [403, 'forbidden'] : [404, 'not_found']
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

/** A value for each required field: the known one, otherwise one that is generated from the schema. */
function valuesOf(
  schema: TSchema | undefined,
  known: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { required = [] } = (schema ?? {}) as { required?: readonly string[] }
  const fields = fieldsOf(schema)
  return Object.fromEntries(
    required.map((name) => [name, known[name] ?? valueOf(fields[name] as TSchema & Hints, known)]),
  )
}

interface Hints {
  readonly type?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly items?: TSchema & Hints
}

function valueOf(schema: TSchema & Hints, known: Readonly<Record<string, unknown>>): unknown {
  const { type, default: fallback, enum: values, minimum, items } = schema
  if (fallback !== undefined) return fallback
  if (values) return values[0]
  if (type === 'integer' || type === 'number') return minimum ?? 1
  if (type === 'boolean') return false
  if (type === 'array') return items ? [valueOf(items, known)] : []
  if (type === 'object') return valuesOf(schema, known)
  return 'notes.txt'
}
