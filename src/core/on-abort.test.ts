import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { onAbort } from './on-abort.ts'

describe('the listener of an abort', () => {
  const heard = () => {
    const calls: string[] = []
    return { calls, listener: () => void calls.push('aborted') }
  }

  it('is called once, when the signal aborts', () => {
    const { calls, listener } = heard()
    const leaving = new AbortController()
    onAbort(leaving.signal, listener)
    assert.deepEqual(calls, [])
    leaving.abort()
    assert.deepEqual(calls, ['aborted'])
  })

  it('is called at once for a signal that has aborted', () => {
    const { calls, listener } = heard()
    onAbort(AbortSignal.abort(), listener)
    assert.deepEqual(calls, ['aborted'])
  })

  it('is not called after its removal, nor without a signal', () => {
    const { calls, listener } = heard()
    const leaving = new AbortController()
    onAbort(leaving.signal, listener)()
    leaving.abort()
    onAbort(undefined, listener)()
    assert.deepEqual(calls, [])
  })
})
