import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { hangMs } from '../../../test/support/until.ts'
import { withinRequest } from './copies.ts'
import { S3Failed } from './problems.ts'

/** An S3 server that says nothing until it is no longer waited for. */
const silent = async (signal: AbortSignal): Promise<never> => {
  await sleep(hangMs, undefined, { signal }).catch(() => {})
  throw signal.reason
}

it('an S3 server that does not answer in time is a failure of S3', () =>
  assert.rejects(withinRequest(new AbortController().signal, silent, 1), { kind: S3Failed }))

it('a request that was cancelled is no failure of S3', async () => {
  const cancel = new AbortController()
  const asked = withinRequest(cancel.signal, silent, hangMs)
  cancel.abort(new Error('cancelled'))
  await assert.rejects(asked, /^Error: cancelled$/)
})

it('a failure in time stays what it is', () =>
  assert.rejects(
    withinRequest(new AbortController().signal, () => Promise.reject(new Error('refused')), hangMs),
    /^Error: refused$/,
  ))
