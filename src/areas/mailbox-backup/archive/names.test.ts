import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { shortened } from './names.ts'

describe('the shortened name of a file', () => {
  test('keeps its ending', () => {
    assert.equal(shortened('report.pdf', 10), 'report.pdf')
    assert.equal(shortened('a long report.pdf', 10), 'a long.pdf')
    assert.equal(shortened('a long report', 6), 'a long')
  })

  test('is cut between characters', () => {
    assert.equal(shortened('😀😀😀.txt', 6), '😀😀.txt')
    assert.equal(shortened(`a.${'x'.repeat(20)}`, 3), 'a.x')
  })
})
