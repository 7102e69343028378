import assert from 'node:assert/strict'
import { it } from 'node:test'
import { doneWords, subjectOf } from './words.ts'

it('tells what a job has done, one thing or many', () => {
  assert.equal(doneWords({ verb: 'pack', name: 'a.zip', count: 3 }, { archive: 'site/a (2).zip' }), 'a (2).zip was made.')
  assert.equal(doneWords({ verb: 'unpack', name: 'a.zip', count: 1 }, { files: 1 }), 'a.zip was extracted: 1 entry.')
  const unpacked = (result: object) => doneWords({ verb: 'unpack', name: 'a.zip', count: 1 }, { files: 2, ...result })
  assert.equal(unpacked({ replaced: 1, not_kept: 0 }), 'a.zip was extracted: 2 entries. 1 file was replaced: the history has what it held.')
  assert.equal(unpacked({ replaced: 7, not_kept: 2 }), 'a.zip was extracted: 2 entries. 7 files were replaced: of 2 the history has nothing.')
  assert.equal(doneWords({ verb: 'copy', name: 'site', count: 1 }, {}), 'site was copied.')
  assert.equal(doneWords({ verb: 'move', name: 'site', count: 3 }, {}), 'site and 2 more were moved.')
})

it('names an archive alone, and of what is placed the first', () => {
  assert.equal(subjectOf({ verb: 'pack', name: 'a.zip', count: 3 }), 'a.zip')
  assert.equal(subjectOf({ verb: 'copy', name: 'site', count: 2 }), 'site and 1 more')
})
