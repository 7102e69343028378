import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream'
import { describe, it } from 'node:test'
import { withoutDevices } from './snapshot.ts'

const pass = (chunks: readonly Buffer[]): Promise<Buffer> =>
  buffer(pipeline(Readable.from(chunks), withoutDevices(), () => {}))

const ended = (texts: readonly (string | number)[]) => texts.map((text) => `${text}\0`).join('')
/** A folder as tar writes it: on NFS, time, device, inode, name and what is in it. */
const folder = (device: string, inode: number, name: string, content: readonly string[] = []) =>
  ended([0, 1_764_400_000, 123, device, inode, name, ...content, '', ''])
const snapshot = (devices: readonly [string, string, string]) =>
  Buffer.from(
    [
      'GNU tar-1.34-2\n',
      ended([1_764_400_000, 456_789]),
      folder(devices[0], 7, './live', ['Ypage', 'Dbelow', 'N64512']),
      folder(devices[1], 8, './empty'),
      folder(devices[2], 9, './a\nb', ['Y0']),
    ].join(''),
  )

describe('a snapshot of tar', () => {
  const [given, wanted] = [snapshot(['64512', '0', '-9223372036854775808']), snapshot(['0', '0', '0'])]

  it('is passed on without the devices of its folders, wherever it is cut', async () => {
    for (let at = 0; at <= given.length; at += 1)
      assert.deepEqual(await pass([given.subarray(0, at), given.subarray(at)]), wanted, `cut at ${at}`)
    assert.deepEqual(await pass([...given].map((byte) => Buffer.from([byte]))), wanted)
  })

  it('without folders stays as it is', async () => {
    const none = Buffer.from(`GNU tar-1.35-2\n${ended([1_764_400_000, 0])}`)
    assert.deepEqual(await pass([none]), none)
    assert.deepEqual(await pass([]), Buffer.alloc(0))
  })

  it('of another format is refused', async () => {
    for (const text of ['1764400000\n64512 7 ./live\n', 'GNU tar-1.15-1\n1 2\n', 'x'.repeat(2000)])
      await assert.rejects(pass([Buffer.from(text)]), /format 2/)
  })
})
