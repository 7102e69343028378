import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { it } from 'node:test'
import { scratchRoot } from '../../../../test/support/step-suite.ts'
import { openFiles } from '../../../host/files.ts'
import { noMariadb } from '../testing/no-mariadb.ts'
import { pauseMs } from './pace.ts'
import { storePart } from './streams.ts'

const notUsed = () => Promise.reject(new Error('not used'))
const noStream = () => {
  throw new Error('not used')
}
const tools = {
  tar: { countChanged: notUsed, listEntries: notUsed, pack: noStream, unpack: notUsed },
  gpg: { encrypt: notUsed, decrypt: notUsed },
  mariadb: { ...noMariadb, dump: noStream },
}
const content = Buffer.alloc(100_000, 'x')

it('a stream waits until its bytes are within the rate, and never without one', () => {
  assert.equal(pauseMs(1000, 0, 500), 2000)
  assert.equal(pauseMs(1000, 1500, 500), 500)
  assert.equal(pauseMs(1000, 3000, 500), 0)
  assert.equal(pauseMs(1000, 0, 0), 0)
})

for (const rate of [undefined, 0, 1_000_000_000])
  it(`a part is stored with its size and digest, ${rate === undefined ? 'without a rate' : `at the rate ${rate}`}`, async (t) => {
    const files = openFiles(scratchRoot(t))
    await files.makeDirectory('/parts')
    const on = { files, tools, ...(rate !== undefined && { maxBytesPerSecond: async () => rate }) }
    const stored = await storePart(on, Readable.from([content, content]), {
      path: '/parts/one',
      passphrase: null,
      signal: AbortSignal.timeout(60_000),
    })
    const sha256 = createHash('sha256').update(content).update(content).digest('hex')
    assert.deepEqual(stored, { size_bytes: 200_000, sha256 })
    assert.equal((await files.facts('/parts/one'))?.sizeBytes, 200_000)
  })

it('a part that waits for its rate is cancelled at once, and is not there', async (t) => {
  const files = openFiles(scratchRoot(t))
  await files.makeDirectory('/parts')
  const cancel = new AbortController()
  const storing = storePart(
    { files, tools, maxBytesPerSecond: async () => 1 }, // a day for each chunk
    Readable.from([content, content]),
    { path: '/parts/one', passphrase: null, signal: cancel.signal, onBytes: () => cancel.abort() },
  )
  await assert.rejects(storing)
  assert.deepEqual(await files.list('/parts'), [])
})
