import assert from 'node:assert/strict'
import { test } from 'node:test'
import { topQueriesIn } from './top-queries.ts'

test('reads the names and counts that dnsdist prints, but not the rest and the root', () => {
  const printed = [
    '   1  Ads.example.                               120 60.0%',
    '   2  a\\032b.example.                             40 20.0%',
    '   3  .                                            20 10.0%',
    '   4  Rest                                         20 10.0%',
    '',
  ]
  assert.deepEqual(topQueriesIn(printed.join('\n')), [
    { name: 'ads.example', queries: 120 },
    { name: 'a\\032b.example', queries: 40 },
  ])
  assert.deepEqual(topQueriesIn('   1  Rest                                        0 100.0%\n'), [])
})
