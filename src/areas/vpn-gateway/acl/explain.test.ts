import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MeshNode } from '../../../tools/headscale/index.ts'
import { explain, type Subject } from './explain.ts'
import { parsePolicy, type Policy } from './policy.ts'

const node = (
  name: string,
  user: string | null,
  address: string,
  rest: Partial<MeshNode> = {},
): MeshNode => ({
  ...{ id: 1, name, user: user === null ? null : { id: 1, name: user }, addresses: [address] },
  ...{ isOnline: true, lastSeen: null, expiresAt: null, createdAt: null },
  ...{ approved: [], advertised: [], serving: [], tags: [] },
  ...rest,
})
const nodes = [
  node('laptop', 'ada', '100.64.0.1'),
  node('shop', 'bob', '100.64.0.2', { approved: ['10.1.0.0/24'], advertised: ['10.1.0.0/24'] }),
  node('robot', null, '100.64.0.3', { tags: ['tag:robot'] }),
]
const ada: Subject = { name: 'ada', user: 'ada', tags: [], addresses: ['100.64.0.1'] }
const robot: Subject = { name: 'robot', user: undefined, tags: ['tag:robot'], addresses: ['100.64.0.3'] }

const rule = (src: readonly string[], dst: readonly string[]) => ({
  action: 'accept',
  src: [...src],
  dst: [...dst],
})
const policyOf = (...acls: ReturnType<typeof rule>[]): Policy => ({ groups: { 'group:web': ['ada@'] }, acls })
const ask = (policy: Policy | undefined, subject: Subject, address: string, port = 80) => {
  const { allowed, rule: number, via } = explain(policy, nodes, { subject, address, port })
  return [allowed, number, via]
}

describe('explaining the policy of the mesh', () => {
  test('without rules everything is allowed; an empty list of rules allows nothing', () => {
    assert.deepEqual(ask(undefined, ada, '100.64.0.2'), [true, null, 'shop'])
    assert.deepEqual(ask({ acls: [] }, ada, '100.64.0.2'), [false, null, 'shop'])
  })

  test('names the first rule that allows it', () => {
    const policy = policyOf(
      rule(['bob@'], ['*:*']),
      rule(['group:web'], ['bob@:80,443']),
      rule(['*'], ['*:80']),
    )
    assert.deepEqual(ask(policy, ada, '100.64.0.2', 443), [true, 2, 'shop'])
    assert.deepEqual(ask(policy, ada, '100.64.0.3', 80), [true, 3, 'robot'])
    assert.deepEqual(ask(policy, ada, '100.64.0.2', 22), [false, null, 'shop'])
  })

  test('nodes of tags belong to no user', () => {
    const policy = policyOf(
      rule(['autogroup:member'], ['*:*']),
      rule(['tag:robot'], ['100.64.0.1:1000-2000']),
    )
    assert.deepEqual(ask(policy, robot, '100.64.0.1', 1500), [true, 2, 'laptop'])
    assert.deepEqual(ask(policy, robot, '100.64.0.1', 999), [false, null, 'laptop'])
    assert.deepEqual(ask(policyOf(rule(['*'], ['autogroup:tagged:*'])), ada, '100.64.0.3'), [
      true,
      1,
      'robot',
    ])
  })

  test('networks behind nodes and the internet', () => {
    const policy = policyOf(rule(['100.64.0.1'], ['10.1.0.0/24:*']), rule(['*'], ['autogroup:internet:*']))
    assert.deepEqual(ask(policy, ada, '10.1.0.7'), [true, 1, 'shop'])
    assert.deepEqual(ask(policy, robot, '10.1.0.7'), [false, null, 'shop'])
    assert.deepEqual(ask(policy, robot, '93.184.216.34'), [true, 2, null])
    assert.deepEqual(ask(policy, robot, '192.168.0.1'), [false, null, null])
  })

  test('IPv6 addresses may be in brackets', () => {
    const policy = policyOf(rule(['ada@'], ['[fd00:1::]/64:443', '[fd00:2::1]:*']))
    assert.deepEqual(ask(policy, ada, 'fd00:1::7', 443), [true, 1, null])
    assert.deepEqual(ask(policy, ada, 'fd00:2::1', 22), [true, 1, null])
    assert.deepEqual(ask(policy, ada, 'fd00:2::2', 22), [false, null, null])
  })

  test('own nodes, and hosts of other parts of the policy', () => {
    assert.deepEqual(ask(policyOf(rule(['*'], ['autogroup:self:*'])), ada, '100.64.0.1'), [true, 1, 'laptop'])
    assert.deepEqual(ask(policyOf(rule(['*'], ['autogroup:self:*'])), ada, '100.64.0.2'), [
      false,
      null,
      'shop',
    ])
    assert.deepEqual(ask(policyOf(rule(['autogroup:danger-all'], ['*:*'])), robot, '100.64.0.1'), [
      true,
      1,
      'laptop',
    ])
    const named = { ...policyOf(rule(['*'], ['office:*'])), hosts: { office: '10.1.0.0/24' } }
    assert.deepEqual(ask(named, ada, '10.1.0.9'), [true, 1, 'shop'])
  })

  test('a policy that the panel would not keep whole is not read', () => {
    assert.throws(() => parsePolicy('{ // ada\n}'), /not plain JSON/)
    const withProto = { acls: [{ ...rule(['*'], ['*:*']), proto: 'udp' }] }
    assert.throws(() => parsePolicy(JSON.stringify(withProto)), /does not show/)
    assert.throws(() => parsePolicy('{"grants":[]}'), /grants/)
  })
})
