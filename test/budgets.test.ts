import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { type Budget, budgets } from './budgets.ts'

const kinds = ['hosts', 'browser'] as const
const linesOf = (kind: keyof Budget) =>
  Object.values(budgets).flatMap((budget) => Object.entries(budget[kind] ?? {}))

test('a suite has at most 90 seconds: what needs more is two suites', () => {
  for (const [name, seconds] of kinds.flatMap(linesOf)) assert.ok(seconds <= 90, `${name}: ${seconds} s`)
})

for (const kind of kinds)
  test(`each suite of test/${kind} has one line, and each line a suite`, () => {
    const suites = globSync('*.test.ts', { cwd: `${import.meta.dirname}/${kind}` })
    const named = suites.map((file) => file.slice(0, -'.test.ts'.length))
    assert.deepEqual(
      linesOf(kind)
        .map(([name]) => name)
        .toSorted(),
      named.toSorted(),
    )
  })
