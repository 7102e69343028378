import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { groupNamesIn, isOpened, rightsAfter, rightsIn, shownRights, textOfRights } from './rights.ts'

describe('the rights of a file', () => {
  test('are a text, which is parsed again and shown with names', () => {
    const rights = { mode: 0o640, uid: 0, gid: 33 }
    assert.equal(textOfRights(rights), '0640 0:33')
    assert.deepEqual(rightsIn('0640 0:33'), rights)
    const groups = groupNamesIn('root:x:0:\nwww-data:x:33:\nsecond:x:33:\n+::\n')
    assert.equal(shownRights('0640 0:33', { users: new Map([[0, 'root']]), groups }), '0640 root:www-data')
    assert.equal(shownRights('4755 7:8', { users: new Map(), groups }), '4755 7:8')
  })

  test('are wanted as a write makes them; those that others have changed and a write keeps are not', () => {
    const [wanted, byHand] = ['0644 0:0', '0666 0:0']
    assert.equal(rightsAfter(undefined, { before: undefined, after: wanted }), wanted)
    assert.equal(rightsAfter(wanted, { before: byHand, after: byHand }), wanted)
    assert.equal(rightsAfter(wanted, { before: byHand, after: '0600 0:0' }), '0600 0:0')
    assert.equal(rightsAfter(undefined, { before: byHand, after: byHand }), byHand)
    assert.equal(rightsAfter(wanted, { before: wanted, after: undefined }), undefined)
  })

  test('are open to others where they can write who could not before', () => {
    for (const text of ['0666 0:0', '0664 0:0', '0644 1000:0', '0602 0:0'])
      assert.equal(isOpened(text, '0644 0:0'), true, text)
    assert.equal(isOpened('0664 0:1000', '0664 0:33'), true)
    for (const text of ['0600 0:0', '0640 0:33', '0755 0:0', '0444 0:1000'])
      assert.equal(isOpened(text, '0644 0:0'), false, text)
    assert.equal(isOpened('0664 33:33', '0664 33:33'), false)
    assert.equal(isOpened('0644 0:0', undefined), false)
  })
})
