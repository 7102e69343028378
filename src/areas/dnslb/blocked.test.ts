import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockersOf } from './blocked.ts'

test('finds what blocks a name: the first list or rule that contains it or a part of its end', () => {
  const balancer: Parameters<typeof blockersOf>[1] = {
    domainLists: [
      { name: 'good', action: 'whitelist', domains: new Set(['good.ads.test']) },
      { name: 'ads', action: 'block', domains: new Set(['ads.test', 'track.test']) },
    ],
    rules: [
      { id: 1, name: 'Games', match: 'domain', value: '.Games.test', action: 'refuse', pool: '' },
      { id: 2, name: 'Aside', match: 'domain', value: 'side.test', action: 'pool', pool: 'side' },
      { id: 3, name: 'No ANY', match: 'type', value: 'ANY', action: 'drop', pool: '' },
    ],
  }
  for (const [name, by] of [
    ['ads.test', 'domain list ads'],
    ['x.y.track.test', 'domain list ads'],
    ['good.ads.test', undefined],
    ['xads.test', undefined],
    ['www.games.test', 'rule Games'],
    ['www.side.test', undefined],
    ['any', undefined],
  ] as const)
    assert.equal(blockersOf(['other.test', name], balancer).get(name), by, name)
})
