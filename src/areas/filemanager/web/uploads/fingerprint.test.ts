import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fingerprintOf } from './fingerprint.ts'

const file = (bytes: Uint8Array<ArrayBuffer>, lastModified = 1) =>
  Object.assign(new Blob([bytes]), { lastModified })
const filled = (size: number, change: Readonly<Record<number, number>> = {}) => {
  const bytes = new Uint8Array(size)
  for (const [at, value] of Object.entries(change)) bytes[Number(at)] = value
  return bytes
}

describe('the fingerprint of a file', () => {
  it('is the same for the same file, also one that is smaller than what is read', async () => {
    assert.equal(await fingerprintOf(file(filled(700_000))), await fingerprintOf(file(filled(700_000))))
    assert.equal(await fingerprintOf(file(filled(10))), await fingerprintOf(file(filled(10))))
    assert.notEqual(await fingerprintOf(file(filled(0))), await fingerprintOf(file(filled(1))))
  })

  it('is another where the begin, the end, the size or the time differs', async () => {
    const first = await fingerprintOf(file(filled(700_000)))
    for (const other of [
      file(filled(700_000, { 3: 1 })),
      file(filled(700_000, { 699_999: 1 })),
      file(filled(700_001)),
      file(filled(700_000), 2),
    ])
      assert.notEqual(await fingerprintOf(other), first)
  })
})
