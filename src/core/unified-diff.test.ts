import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyPatch } from 'diff'
import { reversedDiff, unifiedDiff } from './unified-diff.ts'

const lines = (...names: (string | number)[]) => names.map((name) => `${name}\n`).join('')
const numbered = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => `${line(n)}\n`).join('')
/** Asserts that the diff turns the old text into the new one. */
function assertCorrect(before: string, after: string): string {
  const diff = unifiedDiff('/f', before, after)
  assert.equal(applyPatch(before, diff), after)
  assert.equal(applyPatch(after, reversedDiff(diff)), before)
  return diff
}

const countOf = (diff: string, mark: RegExp) => diff.split('\n').filter((line) => mark.test(line)).length

test('is empty for equal texts', () => {
  assert.equal(unifiedDiff('/a', 'x\n', 'x\n'), '')
  assert.equal(unifiedDiff('/a', undefined, undefined), '')
})

test('shows a new file and a removed one', () => {
  assert.equal(unifiedDiff('/a', undefined, lines('x')), '--- /dev/null\n+++ /a\n@@ -0,0 +1,1 @@\n+x\n')
  assert.equal(unifiedDiff('/a', lines('x'), undefined), '--- /a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n')
  assert.equal(unifiedDiff('/a', undefined, ''), '--- /dev/null\n+++ /a\n')
})

test('shows a path as it is, without quoting', () => {
  assert.match(unifiedDiff('/home/ä b', 'x\n', 'y\n'), /^--- \/home\/ä b\n\+\+\+ \/home\/ä b\n@@/)
})

test('marks a missing line break at the end', () => {
  assert.match(assertCorrect('a\nb', 'a\nb\n'), /-b\n\\ No newline at end of file\n\+b\n$/)
})

test('finds a line that moved', () => {
  const diff = unifiedDiff('/f', lines('a', 'b', 'c', 'd'), lines('a', 'c', 'd', 'b'))
  assert.deepEqual([countOf(diff, /^-b/), countOf(diff, /^\+b/), countOf(diff, /^[-+][acd]/)], [1, 1, 0])
})

test('shows only the changed parts of a file of 5,000 lines', () => {
  const before = numbered(5000, (n) => `line ${n}`)
  const diff = assertCorrect(before, before.replace('line 100\n', 'x\n').replace('line 4000\n', ''))
  assert.equal(countOf(diff, /^@@/), 2)
  assert.equal(countOf(diff, /^[ +-]/), 2 + 8 + 7)
})

test('gives up the search for two different files of 10,000 lines, and shows one as replaced', () => {
  const diff = assertCorrect(
    numbered(10_000, (n) => `old ${n}`),
    numbered(10_000, (n) => `new ${n}`),
  )
  assert.deepEqual(
    [countOf(diff, /^@@/), countOf(diff, /^-old/), countOf(diff, /^\+new/)],
    [1, 10_000, 10_000],
  )
})

test('shows a removed block of 5,000 lines as removed, with its context', () => {
  const before = numbered(10_000, (n) => `line ${n}`)
  const diff = assertCorrect(
    before,
    numbered(5000, (n) => `line ${n < 2500 ? n : n + 5000}`),
  )
  assert.match(diff, /@@ -2498,5006 \+2498,6 @@\n line 2497\n line 2498\n line 2499\n-line 2500\n/)
  assert.deepEqual([countOf(diff, /^-line/), countOf(diff, /^ line/), countOf(diff, /^\+line/)], [5000, 6, 0])
})

test('is correct after giving up, whatever is at the edges of the texts', () => {
  const old = numbered(2000, (n) => `old ${n}`)
  const fresh = numbered(1500, (n) => `new ${n}`)
  for (const [before, after] of [
    [old, 'no line break'],
    [`${old}last`, `${fresh}last`],
    [`first\n${old}`, `first\n${fresh}`],
    ['', old],
    [old, ''],
    [`${old}last`, `${fresh}last\n`],
  ] as const)
    assertCorrect(before, after)
})

test('is reversed to the diff of the texts in the other order', () => {
  const pairs = [
    ['', ''],
    [undefined, lines('x')],
    [lines('a', 'b', 'c'), lines('a', 'x', 'y', 'c')],
    ['a\nb', 'a\nb\n'],
    [numbered(40, String), numbered(40, (n) => (n % 20 === 3 ? `-- ${n}` : String(n)))],
  ] as const
  for (const [one, other] of pairs)
    assert.equal(reversedDiff(unifiedDiff('/a', one, other)), unifiedDiff('/a', other, one))
})
