import assert from 'node:assert/strict'
import { it } from 'node:test'
import { doneText, subjectOf } from './job-text.ts'

it('tells what a job has done, one thing or many', () => {
  assert.equal(
    doneText({ verb: 'pack', name: 'a.zip', count: 3 }, { archive: 'site/a (2).zip' }),
    'a (2).zip was created.',
  )
  assert.equal(
    doneText({ verb: 'unpack', name: 'a.zip', count: 1 }, { files: 1 }),
    'a.zip was extracted: 1 entry.',
  )
  const unpacked = (result: object) =>
    doneText({ verb: 'unpack', name: 'a.zip', count: 1 }, { files: 2, ...result })
  assert.equal(
    unpacked({ replaced: 1, not_kept: 0 }),
    'a.zip was extracted: 2 entries. 1 file was replaced: the former content is in the history.',
  )
  assert.equal(
    unpacked({ replaced: 7, not_kept: 2 }),
    'a.zip was extracted: 2 entries. 7 files were replaced: 2 of them without a version in the history.',
  )
  assert.equal(doneText({ verb: 'copy', name: 'site', count: 1 }, {}), 'site was copied.')
  assert.equal(doneText({ verb: 'move', name: 'site', count: 3 }, {}), 'site and 2 more were moved.')
})

it('tells what a job has brought from elsewhere, or sent there', () => {
  assert.equal(
    doneText({ verb: 'fetch', name: 'a.bin', count: 1 }, { file: 'site/a (1).bin' }),
    'a (1).bin was downloaded.',
  )
  assert.equal(doneText({ verb: 'clone', name: 'shop', count: 1 }, { commit: 'b' }), 'shop was cloned.')
  assert.equal(
    doneText({ verb: 'pull', name: 'shop', count: 1 }, { before: 'a', commit: 'b' }),
    'New commits were pulled into shop.',
  )
  assert.equal(
    doneText({ verb: 'pull', name: '', count: 1 }, { before: 'b', commit: 'b' }),
    'Home is already up to date.',
  )
  assert.equal(
    doneText({ verb: 'push', name: 'shop', count: 1 }, { remote: 'origin', branch: 'main' }),
    'shop was pushed to origin/main.',
  )
})

it('names an archive alone, and of what is placed the first', () => {
  assert.equal(subjectOf({ verb: 'pack', name: 'a.zip', count: 3 }), 'a.zip')
  assert.equal(subjectOf({ verb: 'copy', name: 'site', count: 2 }), 'site and 1 more')
})
