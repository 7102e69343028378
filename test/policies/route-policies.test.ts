import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Type from 'typebox'
import { areas } from '../../src/app/areas.ts'
import { area } from '../../src/core/area.ts'
import { at, local } from '../../src/core/endpoint.ts'
import { change } from '../../src/core/change.ts'
import { type Guard, key, open, signedIn, socketToken, superuser } from '../../src/core/guard.ts'
import { problem } from '../../src/core/problem.ts'
import { data, rpc, socket, succeeded, success } from '../../src/core/reply.ts'
import { Id, Optional, Ref, Secret, Text } from '../../src/core/schemas.ts'
import { type Route, routesOf } from '../../src/surfaces/routes.ts'
import * as policies from './route-policies.ts'

const real = routesOf(areas.map((each) => ({ area: each, context: {} })))

/** A table with one ordinary endpoint, changed into a bad example. */
function table(endpoint: object = {}, own: object = {}): readonly Route[] {
  const declared = {
    method: 'POST',
    path: '/things',
    summary: 'Make a thing',
    effect: 'changes',
    category: 'settings',
    reply: succeeded,
    run: () => change({ summary: 'x', reply: success }),
    ...endpoint,
  }
  return routesOf([
    {
      area: area({
        name: 'shop',
        title: 'Shop',
        base: '/shop',
        guard: superuser,
        errors: 'coded',
        endpoints: { makeThing: declared as never },
        open: () => ({}),
        ...own,
      }),
      context: {},
    },
  ])
}
const body = (properties: Record<string, Type.TSchema>) => ({ body: Type.Object(properties) })
const Bad = problem('bad', 302, 'Bad')
const aJob = (more: object) => ({
  jobs: [
    {
      kind: 'shop.work',
      input: Type.Object({}),
      timeoutMs: 1000,
      attempts: 1,
      resumes: false,
      run: async () => {},
      ...more,
    },
  ],
})

const rules: readonly (readonly [string, policies.Policy, ...(readonly Route[])[]])[] = [
  [
    'declares what changes the access of somebody',
    policies.declaresChangesOfAccess,
    table(body({ permissions: Type.Array(Text(5), { maxItems: 5 }) })),
  ],
  [
    'has a guard, and a reason where it is open',
    policies.hasGuard,
    table({}, { guard: undefined as unknown as Guard }),
    table({ guard: open('why not') }),
    table({ guard: key('', () => 'valid') }),
  ],
  [
    'is open only where it is named',
    policies.opensOnlyNamed,
    table({ guard: open('a good reason for this') }),
    table({ path: '/login' }, { base: '/auth' }),
  ],
  [
    'reads where it is a GET, and nowhere else',
    policies.getsOnlyRead,
    table({ method: 'GET' }),
    table({ effect: 'reads' }),
  ],
  [
    'destroys what it names',
    policies.destroysWhatItNames,
    table({ method: 'DELETE' }),
    table({ path: '/things/clear' }),
  ],
  [
    'limits attempts without a credential',
    policies.limitsOpenAttempts,
    table({ guard: open('a good reason for this') }),
    table({ path: '/login', effect: 'reads' }, { base: '/auth', guard: open('a good reason for this') }),
  ],
  [
    'pages alike',
    policies.pagesAlike,
    table({
      reply: { ...succeeded, list: { sort: ['id'], search: [], filter: { per_page: { default: 100 } } } },
    }),
  ],
  [
    'names its category',
    policies.namesCategory,
    table({ category: undefined }),
    table({ category: 'cakes' }),
    table({ category: local('no') }),
    table({ method: 'GET', effect: 'reads' }),
    table({ effect: 'probes' }),
  ],
  [
    'fits its reply',
    policies.fitsItsReply,
    table({ reply: socket }),
    table({ method: 'GET', effect: 'destroys', reply: socket }),
    table({ method: 'PUT', reply: rpc(Type.Object({})) }),
    table({ guard: socketToken('terminal') }),
    table({ invalid: { code: 'invalid_body', status: 400 } }),
  ],
  [
    'is below a base of its area',
    policies.isBelowItsBase,
    table({ base: '/market' }),
    table({ base: '/market' }, { bases: ['/mall'] }),
  ],
  [
    'has a summary',
    policies.hasSummary,
    table({ summary: '' }),
    table({ summary: 'make a thing' }),
    table({ summary: 'Make a thing.' }),
  ],
  [
    'bounds every string it takes',
    policies.boundsStrings,
    table(body({ a: Type.String() })),
    table(
      body({ a: Type.Array(Type.Object({ b: Type.Union([Type.Null(), Type.String()]) }), { maxItems: 1 }) }),
    ),
    table(body({ a: Type.String({ pattern: '^a+$' }) })),
  ],
  ['bounds every list it takes', policies.boundsLists, table(body({ a: Type.Array(Text(5)) }))],
  [
    'bounds every number it takes',
    policies.boundsNumbers,
    table(body({ a: Type.Integer({ minimum: 1 }) })),
    table({ query: Type.Object({ a: Type.Number() }) }),
  ],
  [
    'marks what is named like a secret',
    policies.marksSecrets,
    table(body({ password: Text(50) })),
    table(body({ proxy: Type.Object({ api_key: Optional(Text(50)) }) })),
    table({ reply: data(Type.Object({ token: Text(50) })) }),
  ],
  [
    'keeps secrets where masking finds them',
    policies.keepsSecretsInReach,
    table(body({ all: Type.Record(Text(5), Secret()) })),
    table({ reply: data(Type.Intersect([Type.Object({ a: Secret() }), Type.Object({})])) }),
  ],
  [
    'loads what it names through a target, below SU',
    policies.loadsThroughTarget,
    table({ guard: signedIn, ...body({ website_id: Id }) }),
    table({ guard: signedIn, ...body({ site: Ref('website') }) }),
    table({ guard: signedIn, path: '/{id}', params: Type.Object({ id: Id }) }),
  ],
  [
    'declares the parameters of its path',
    policies.declaresPathParameters,
    table({ path: '/{id}' }),
    table({ params: Type.Object({ id: Id }) }),
  ],
  [
    'has a path of its own',
    policies.hasOwnPath,
    [...table({ path: '/{id}' }), ...table({ path: '/{name}' })],
  ],
  [
    'has an operation id of its own',
    policies.hasOwnOperationId,
    [...table({ path: '/a-b' }), ...table({ path: '/a/b' })],
  ],
  [
    'has a name',
    policies.hasName,
    table({}, { endpoints: { make_thing: table()[0]?.endpoint } }),
    table({ run: undefined }),
  ],
  [
    'names the action only where the contract does',
    policies.namesContractActionsOnly,
    table({ action: 'thing_made' }),
  ],
  [
    'words its failures',
    policies.wordsFailures,
    table({ throws: { 'Bad-Request': problem('x', 400, 'x') } }),
    table({ throws: { bad: Bad } }),
    table({ throws: { bad: [] } }),
  ],
  ['codes each failure once', policies.codesFailuresOnce, table({ throws: { bad: Bad, worse: [Bad] } })],
  [
    'keeps the status of codes that any endpoint may return',
    policies.keepsStatusOfCodes,
    table({ throws: { bad_request: problem('bad_request', 409, 'x') } }),
    table({ throws: { forbidden: at(400, problem('forbidden', 403, 'x')) } }),
  ],
  [
    'has limits of time and size',
    policies.hasLimits,
    table({ timeoutMs: 0 }),
    table({ timeoutMs: 86_400_000 }),
    table({ bodyBytes: 1e9 }),
  ],
  [
    'stands in an area with a title and a path of its own',
    policies.namesAreas,
    table({}, { title: '' }),
    table({}, { base: 'shop' }),
    table({}, { bases: ['market'] }),
    table({}, { bases: ['/shop'] }),
    [...table(), ...table()],
  ],
  [
    'has a handler',
    policies.canBeHandled,
    table({ query: { type: 'object', properties: { at: undefined } } }),
  ],
  [
    'names its jobs',
    policies.namesJobs,
    table({}, aJob({ kind: 'work' })),
    table({}, aJob({ timeoutMs: 0 })),
    table({}, { jobs: [...aJob({}).jobs, ...aJob({}).jobs] }),
  ],
]

describe('every endpoint', () => {
  for (const [title, policy] of rules) it(title, () => assert.deepEqual(policy(real), []))
})

describe('the policy that every endpoint', () => {
  const good = table({
    guard: signedIn,
    ...body({ name: Text(20), mode: Type.Enum(['a', 'b']), password: Optional(Secret()) }),
    changesAccess: true,
    throws: { taken: problem('taken', 409, 'x') },
  })
  for (const [title, policy, ...examples] of rules) {
    it(`${title}, passes a good example and fails each bad one`, () => {
      assert.deepEqual(policy(good), [])
      assert.ok(examples.length > 0)
      for (const [index, example] of examples.entries())
        assert.ok(policy(example).length > 0, `example ${index + 1} passes`)
    })
  }

  it('of this table is checked, and of no other', () => {
    const exported = Object.values(policies).filter((value) => typeof value === 'function')
    assert.deepEqual(new Set(rules.map(([, policy]) => policy)), new Set(exported))
    assert.ok(real.length > 40, `only ${real.length} routes`)
  })
})
