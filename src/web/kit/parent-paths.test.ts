import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parentPaths } from './parent-paths.ts'

describe('the pages above a path', () => {
  const pages = new Set(['/websites', '/websites/$id', '/account', '/account/activity'])

  test('are those that exist, from the top', () => {
    assert.deepEqual(parentPaths('/websites/12', pages), ['/websites'])
    assert.deepEqual(parentPaths('/account/activity/more', pages), ['/account', '/account/activity'])
  })

  test('are none for a page of the menu or an unknown one', () => {
    assert.deepEqual(parentPaths('/websites', pages), [])
    assert.deepEqual(parentPaths('/', pages), [])
    assert.deepEqual(parentPaths('/nowhere/12', pages), [])
  })
})
