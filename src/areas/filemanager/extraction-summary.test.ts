import assert from 'node:assert/strict'
import { it } from 'node:test'
import { messageOf } from './extraction-summary.ts'

it('states the number of files beyond five thousand that the history does not keep', () => {
  const paths = Array.from({ length: 20 }, (_, n) => `many/${n}`)
  const look = { bytes: 5003, files: 0, folders: 0, replacedFiles: 5003, replacedOthers: 0, paths }
  const [makes, replaces, beyond] = messageOf(look)
  assert.equal(makes, 'Makes 0 files and 0 folders; 5,003 bytes in all')
  assert.match(replaces ?? '', /^Replaces 5,003 files: (many\/\d+, ){5}4,998 more\. /)
  assert.equal(beyond, 'The history keeps 5,000 files of them at most: of up to 3 files nothing is kept')
  assert.equal(messageOf({ ...look, replacedFiles: 5000 }).length, 2)
})
