import assert from 'node:assert/strict'
import { it } from 'node:test'
import { doneWords, subjectOf } from './words.ts'

it('tells what a job has done, one thing or many', () => {
  assert.equal(doneWords({ verb: 'pack', name: 'a.zip', count: 3 }, { archive: 'site/a (2).zip' }), 'a (2).zip was made.')
  assert.equal(doneWords({ verb: 'unpack', name: 'a.zip', count: 1 }, { files: 1 }), 'a.zip was extracted: 1 entry.')
  assert.equal(doneWords({ verb: 'copy', name: 'site', count: 1 }, {}), 'site was copied.')
  assert.equal(doneWords({ verb: 'move', name: 'site', count: 3 }, {}), 'site and 2 more were moved.')
})

it('names an archive alone, and of what is placed the first', () => {
  assert.equal(subjectOf({ verb: 'pack', name: 'a.zip', count: 3 }), 'a.zip')
  assert.equal(subjectOf({ verb: 'copy', name: 'site', count: 2 }), 'site and 1 more')
})
