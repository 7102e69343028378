import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lineDiff } from './line-diff.ts'

describe('a diff of lines', () => {
  it('is empty for one and the same text', () => assert.equal(lineDiff('a\nb', 'a\nb'), ''))

  it('tells what was removed and added, with the lines around', () => {
    assert.equal(lineDiff('a\nb\nc', 'a\nx\nc'), '@@ -1 +1 @@\n a\n-b\n+x\n c')
    assert.equal(lineDiff('', 'a'), '@@ -1 +1 @@\n-\n+a')
  })

  it('leaves out what is far from a change, and numbers each part', () => {
    const before = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`)
    const after = before.map((line, index) => (index === 1 || index === 35 ? `${line}!` : line))
    const diff = lineDiff(before.join('\n'), after.join('\n'))
    assert.deepEqual(diff.match(/@@.*@@/g), ['@@ -1 +1 @@', '@@ -33 +33 @@'])
    assert.equal(diff.includes('line 20'), false)
  })

  it('finds lines that moved among others', () => {
    const diff = lineDiff('a\nb\nc\nd', 'a\nc\nd\nb')
    assert.deepEqual(
      diff.split('\n').filter((line) => /^[-+]/.test(line)),
      ['-b', '+b'],
    )
  })

  it('gives up on exactness for texts that are too long for it, and is still true', () => {
    const before = Array.from({ length: 2500 }, (_, index) => `old ${index}`).join('\n')
    const after = Array.from({ length: 2500 }, (_, index) => `new ${index}`).join('\n')
    const lines = lineDiff(before, after).split('\n')
    assert.equal(lines.filter((line) => line.startsWith('-')).length, 2500)
    assert.equal(lines.filter((line) => line.startsWith('+')).length, 2500)
  })
})
