import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Type from 'typebox'
import { areas } from '../../src/app/areas.ts'
import { area } from '../../src/core/area.ts'
import { change } from '../../src/core/change.ts'
import { styled } from '../../src/core/endpoint.ts'
import { key, signedIn, superuser } from '../../src/core/guard.ts'
import { problem } from '../../src/core/problem.ts'
import { created, data, events, flat } from '../../src/core/reply.ts'
import { Id, Text } from '../../src/core/schemas.ts'
import { routesOf } from '../../src/surfaces/routes.ts'
import { contract, deviations, keyOf, type Row } from './contract.ts'
import { contractDeviations } from './exceptions.ts'

/** The minimum number of declared endpoints of the contract: raise it with each new one. */
const declaredSoFar = 75

const routes = routesOf(areas.map((area) => ({ area, context: {} })))
const found = deviations(contract, routes)

describe('the contract', () => {
  it('has 507 endpoints, each once', () => {
    assert.equal(contract.length, 507)
    assert.equal(new Set(contract.map(({ method, path }) => keyOf(method, path))).size, 507)
  })

  it('is kept by every endpoint that is declared, but for the deviations that a decision asks for', () => {
    assert.deepEqual(
      found.filter((line) => !(line in contractDeviations)),
      [],
    )
  })

  it('has no deviation in the list that is none, or without the number of its decision', () => {
    assert.deepEqual(
      Object.entries(contractDeviations).filter(
        ([line, reason]) => !found.includes(line) || !/^D\d\.\d+: ./.test(reason),
      ),
      [],
    )
  })

  it('is declared as far as it was, and further', () => {
    const declared = new Set(routes.map(({ endpoint, path }) => keyOf(endpoint.method, path)))
    const count = contract.filter(({ method, path }) => declared.has(keyOf(method, path))).length
    assert.ok(count >= declaredSoFar, `only ${count} are left`)
  })
})

const sample: Row = {
  method: 'POST',
  path: '/api/shop/{id}/things',
  guard: 'SU',
  shown: 'full',
  request: {
    path: { id: { type: 'int', required: true } },
    body: { name: { type: 'string', required: true }, size: { type: 'int', default: 80 } },
  },
  success: { status: 201, shape: 'data', fields: { name: 'string', parts: [{ id: 'int', kind: "'part'" }] } },
  errors: [
    { status: 400, code: 'bad_request' },
    { status: 500, code: 'make_failed' },
    { status: 'pass-through', code: 'backend_error' },
    { status: 500, code: null, shape: 'flat' },
  ],
  error_shape: 'enveloped',
}

const Draft = Type.Object({ name: Text(20), size: Type.Integer({ default: 80 }) })
const Part = Type.Object({ id: Id, kind: Type.Literal('part') })
const Thing = Type.Object({ name: Text(20), parts: Type.Array(Part), extra: Text(20) })
const MakeFailed = problem('x', 500, 'x')
const throws = {
  make_failed: MakeFailed,
  backend_error: problem('x', 502, 'x', { passesStatus: true }),
  plain: styled('flat', problem('x', 500, 'x')),
}

/** An endpoint that keeps the sample row, changed into one that does not. */
function declared(endpoint: object = {}, own: object = {}) {
  const draft = {
    method: 'POST',
    path: '/{id}/things',
    summary: 'Make a thing',
    effect: 'changes',
    params: Type.Object({ id: Id }),
    body: Draft,
    reply: created(Thing),
    throws,
    run: () => change({ summary: 'x', reply: {} }),
    ...endpoint,
  }
  const shop = area({
    name: 'shop',
    title: 'Shop',
    base: '/shop',
    guard: superuser,
    errors: 'coded',
    endpoints: { makeThing: draft as never },
    open: () => ({}),
    ...own,
  })
  return routesOf([{ area: shop, context: {} }])
}

const shows = (fields: Row['success'], more: Partial<Row> = {}): Row => ({
  ...sample,
  ...more,
  ...(fields && { success: fields }),
})

/** The deviation, the row, and the endpoint. */
const broken: readonly (readonly [string, ReturnType<typeof declared>, Row?])[] = [
  ['has the guard AUTH, the contract SU', declared({ guard: signedIn })],
  ['has the guard SU+PLUGIN(uptime), the contract SU', declared({}, { plugin: 'uptime' })],
  ['has the guard NONE, the contract SU', declared({ guard: key('X-Key', () => 'valid') })],
  ['body.size is not accepted', declared({ body: Type.Object({ name: Text(20) }) })],
  [
    'body.size has the default 8080, the contract 80',
    declared({ body: Type.Object({ ...Draft.properties, size: Type.Integer({ default: 8080 }) }) }),
  ],
  [
    'body.name is not of the type string',
    declared({ body: Type.Object({ ...Draft.properties, name: Type.Boolean() }) }),
  ],
  [
    'body.more is required, not in the contract',
    declared({ body: Type.Object({ ...Draft.properties, more: Text(20) }) }),
  ],
  ['returns 200, the contract 201', declared({ reply: data(Thing) })],
  [
    'returns the shape flat, the contract data',
    declared({ reply: flat(Thing) }),
    shows({ status: 200, shape: 'data' }),
  ],
  ['reply.name is missing', declared({ reply: created(Type.Omit(Thing, ['name'])) })],
  [
    'reply.name is not of the type string',
    declared({ reply: created(Type.Object({ ...Thing.properties, name: Id })) }),
  ],
  [
    'reply.parts is not a list',
    declared({ reply: created(Type.Object({ ...Thing.properties, parts: Part })) }),
  ],
  [
    "reply.parts[].kind is not of the type 'part'",
    declared({
      reply: created(
        Type.Object({
          ...Thing.properties,
          parts: Type.Array(Type.Object({ id: Id, kind: Type.Literal('whole') })),
        }),
      ),
    }),
  ],
  [
    'reply.extra is not in the contract',
    declared({ reply: flat(Thing) }),
    shows({ status: 200, shape: 'flat', fields: { name: 'string', parts: 'list' } }),
  ],
  [
    'never sends the event {"type":"\'done\'"}',
    declared({ reply: events(Type.Object({ type: Type.Literal('progress') })) }),
    shows({ status: 200, shape: 'sse', fields: { events: [{ type: "'done'" }] } }),
  ],
  [
    'cannot return 503 make_failed',
    declared(),
    shows(undefined, { errors: [{ status: 503, code: 'make_failed' }] }),
  ],
  [
    'cannot return 500 make_failed',
    declared({ throws: { backend_error: throws.backend_error, plain: throws.plain } }),
  ],
  [
    'cannot return pass-through backend_error',
    declared({ throws: { ...throws, backend_error: problem('x', 502, 'x') } }),
  ],
  [
    'cannot return 500 without a code (flat)',
    declared({ throws: { ...throws, plain: problem('x', 500, 'x') } }),
  ],
  [
    'cannot return 400 bad_request',
    declared({ path: '/1/things', params: undefined, invalid: { code: 'invalid_body', status: 400 } }),
    { ...sample, path: '/api/shop/1/things', request: {} },
  ],
  ['returns errors in the style flat, the contract coded', declared({ errors: 'flat' })],
]

describe('a declaration', () => {
  it('that keeps its row has no deviation', () => assert.deepEqual(deviations([sample], declared()), []))

  for (const [text, routes, row = sample] of broken)
    it(`is found where it ${text}`, () => {
      const found = deviations([row], routes)
      assert.ok(found.includes(`${row.method} ${row.path}: ${text}`), found.join('\n'))
    })
})
