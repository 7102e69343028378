import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lock, singleLock } from './lock.ts'

test('a lock is stored as its kind and name, so that changes stored by an older panel keep their locks', () => {
  const fileLock = lock<[username: string, path: string]>('file')
  assert.deepEqual(
    [lock('user')('ada@example.com'), fileLock('ada', 'a/b:c'), lock('host name', ' ')('example.com')],
    ['user:ada@example.com', 'file:ada:a/b:c', 'host name example.com'],
  )
  assert.equal(singleLock('superusers'), 'superusers')
})
