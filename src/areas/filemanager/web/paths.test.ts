import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { crumbsOf, isArchive, isWithin, joinPath, nameOf, otherName, parentOf, splitName } from './paths.ts'

describe('a path of the file pages', () => {
  it('is joined and taken apart without leading or double slashes', () => {
    assert.equal(joinPath('', 'a'), 'a')
    assert.equal(joinPath('/a/', 'b/c'), 'a/b/c')
    assert.equal(parentOf('a/b/c'), 'a/b')
    assert.equal(parentOf('a'), '')
    assert.equal(nameOf('a/b/'), 'b')
    assert.deepEqual(
      crumbsOf('a/b').map(({ path }) => path),
      ['', 'a', 'a/b'],
    )
  })

  it('is within a folder only where the folder’s whole name stands', () => {
    assert.equal(isWithin('ab/c', 'a'), false)
    assert.equal(isWithin('a/c', 'a'), true)
    assert.equal(isWithin('a', 'a'), true)
    assert.equal(isWithin('a', ''), true)
  })

  it('has an ending only after a stem, and a tar keeps both of its endings', () => {
    assert.deepEqual(splitName('site.tar.gz'), { stem: 'site', ending: '.tar.gz' })
    assert.deepEqual(splitName('.htaccess'), { stem: '.htaccess', ending: '' })
    assert.deepEqual(splitName('v1.2 notes'), { stem: 'v1.2 notes', ending: '' })
    assert.equal(otherName('a.b.txt', 2), 'a.b (2).txt')
    assert.equal(isArchive('a.TAR.XZ'), true)
    assert.equal(isArchive('a.gz'), false)
  })
})
