import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noticeOf } from './notices.ts'

test('superusers are told of each manifest that could not remove everything', () => {
  const [first, second] = [noticeOf(['Drop ada: ada is in use', 'Drop bob']), noticeOf(['Drop cy'])]
  assert.deepEqual(
    [first, second].map(({ to, message }) => [to, message]),
    [
      ['superusers', 'Still there, remove it on the server: Drop ada: ada is in use; Drop bob'],
      ['superusers', 'Still there, remove it on the server: Drop cy'],
    ],
  )
  assert.notEqual(first.key, second.key)
})
