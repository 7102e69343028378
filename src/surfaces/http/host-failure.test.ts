import assert from 'node:assert/strict'
import { open, readFile } from 'node:fs/promises'
import { it } from 'node:test'
import { hostFailureOf } from './host-failure.ts'

const failureOf = async (work: Promise<unknown>) =>
  hostFailureOf(
    await work.then(
      () => undefined,
      (error) => error,
    ),
  )

it('names the call, the path and the reason of an error of the host', async () => {
  const error = Object.assign(new Error('EACCES'), {
    code: 'EACCES',
    syscall: 'open',
    errno: -13,
    path: '/etc/x',
  })
  assert.equal(hostFailureOf(error), 'open /etc/x: permission denied')
  assert.match(
    (await failureOf(open('/proc/sys/kernel/version', 'w'))) ?? '',
    /^open \/proc\/sys\/kernel\/version: /,
  )
})

it('leaves every other error to those who expect it', async () => {
  assert.equal(await failureOf(readFile('/nonexistent')), undefined)
  assert.equal(hostFailureOf(new TypeError('no function')), undefined)
  assert.equal(hostFailureOf('EACCES'), undefined)
})
