import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { stallOf } from './stall.ts'

/** A body, and a check that it counts as stalled after further seconds. */
function watch({ mock }: TestContext) {
  mock.timers.enable({ apis: ['setInterval'] })
  const raw = new IncomingMessage(new Socket())
  let isStalled = false
  stallOf(raw, 60_000).catch(() => (isStalled = true))
  const isStalledAfter = async (seconds: number) => {
    mock.timers.tick(seconds * 1000)
    await new Promise(setImmediate)
    return isStalled
  }
  return { raw, isStalledAfter }
}

describe('a body of an upload', () => {
  it('has stalled when nothing arrives for as long as is waited, and not before', async (test) => {
    const { raw, isStalledAfter } = watch(test)
    raw.resume()
    raw.push('some')
    await new Promise(setImmediate)
    assert.equal(await isStalledAfter(59), false)
    assert.equal(await isStalledAfter(31), true)
  })

  it('that waits for its reader has not stalled', async (test) => {
    const { raw, isStalledAfter } = watch(test)
    assert.equal(await isStalledAfter(3600), false)
    raw.resume().pause()
    raw.push('some')
    assert.equal(await isStalledAfter(3600), false)
    raw.resume()
    await new Promise(setImmediate)
    assert.equal(await isStalledAfter(90), true)
  })

  it('that has ended is not watched any more', async (test) => {
    const { raw, isStalledAfter } = watch(test)
    raw.resume()
    raw.push(null)
    await new Promise(setImmediate)
    assert.equal(await isStalledAfter(3600), false)
  })
})
