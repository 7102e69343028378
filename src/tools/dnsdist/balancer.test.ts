import assert from 'node:assert/strict'
import { test } from 'node:test'
import { balancerLine, databaseName, emptyBalancer, storedBalancerIn } from './balancer.ts'

const list = { name: 'ads', action: 'block', domains: 'ads.test\ntrack.test' } as const
const database = databaseName(list)

test('a file names the databases of its lists, which have the domains', () => {
  const line = balancerLine({ ...emptyBalancer, domainLists: [list] })
  assert.doesNotMatch(line, /ads\.test/)
  const stored = storedBalancerIn(`-- first\n${line}\n-- last\n`)
  assert.deepEqual(stored.domainLists, [{ name: 'ads', action: 'block', database }])
})

test('a file that contains the domains, as former versions wrote it, has the same databases', () => {
  const former = { ...emptyBalancer, domainLists: [{ ...list, domains: ['ads.test', 'track.test'] }] }
  const { domainLists } = storedBalancerIn(`-- hostreeve: ${JSON.stringify(former)}`)
  assert.deepEqual(domainLists, [{ name: 'ads', action: 'block', database }])
})

test('a missing file, and one without a balancer, have none', () => {
  for (const text of [undefined, '', '-- another\n'])
    assert.deepEqual(storedBalancerIn(text), { ...emptyBalancer, domainLists: [] })
})
