import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { Refusal, type ReadCall } from './calls.ts'
import { headerBytes, maxChunkBytes } from './frames.ts'
import { local, nameOf } from './paths.ts'
import type { CallRun } from './session.ts'
import { etagOf } from './stat.ts'

/** Sends a range of a file. NONBLOCK, so that opening a named pipe cannot wait for a writer. */
export async function readFile(call: ReadCall, run: CallRun): Promise<void> {
  await using file = await open(
    local(call.path),
    constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY,
  )
  const found = await file.stat({ bigint: true })
  if (found.isDirectory()) throw new Refusal('EISDIR', call.path)
  if (!found.isFile()) throw new Refusal('NOTREGULAR', call.path)
  const size = Number(found.size)
  const start = Math.min(call.start, size)
  const end = Math.max(start, Math.min(call.end ?? size, size))
  run.head({
    stat: {
      name: nameOf(call.path),
      type: 'file',
      size,
      mode: Number(found.mode) & 0o7777,
      uid: Number(found.uid),
      gid: Number(found.gid),
      mtimeMs: Number(found.mtimeMs),
      locked: false,
      etag: etagOf(found),
    },
    start,
    end,
  })
  await sendRange(file, start, end, run, call.path)
}

// The next buffer is read while one is sent.
async function sendRange(
  file: FileHandle,
  start: number,
  end: number,
  run: CallRun,
  path: string,
): Promise<void> {
  const buffers = [0, 1, 2].map(() => ({
    bytes: Buffer.allocUnsafeSlow(headerBytes + maxChunkBytes),
    sent: Promise.resolve(),
  }))
  for (let at = start, turn = 0; at < end; turn++) {
    const buffer = buffers[turn % buffers.length]!
    await buffer.sent
    const wanted = Math.min(end - at, maxChunkBytes, await run.room())
    const { bytesRead } = await file.read(buffer.bytes, headerBytes, wanted, at)
    if (bytesRead === 0) throw new Refusal('CHANGED', path, 'it shrank while it was read')
    buffer.sent = run.send(buffer.bytes, bytesRead)
    at += bytesRead
  }
}
