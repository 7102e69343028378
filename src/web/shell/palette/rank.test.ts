import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rank } from './rank.ts'

const entries = ['Load balancer', 'Settings', 'New website', 'Websites', 'Files'].map((title) => ({
  key: title,
  title,
  to: '/',
}))
const titles = (text: string) => rank(entries, text).map(({ title }) => title)

describe('the entries of the command palette', () => {
  test('begin with the typed text, then contain a word that does', () => {
    assert.deepEqual(titles('web'), ['Websites', 'New website'])
  })

  test('contain every word in any order, whatever their case', () => {
    assert.deepEqual(titles(' WEBSITE new '), ['New website'])
    assert.deepEqual(titles('balancer x'), [])
  })

  test('are all there, in their order, while nothing is typed', () => {
    assert.deepEqual(
      titles(''),
      entries.map(({ title }) => title),
    )
  })
})
