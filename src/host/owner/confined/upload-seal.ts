import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { Refusal } from './calls.ts'
import { noting } from './progress.ts'
import type { CallRun } from './session.ts'
import { etagOf } from './stat.ts'
import type { Sealed, UploadSeal } from './upload-calls.ts'
import { cutUpload, openPartsIfAny } from './upload-parts.ts'

const pieceBytes = 1024 * 1024

/** Checks an upload that should be complete. One with a different checksum is dropped: there is no way to tell which part is wrong. */
export async function sealUpload({ name, size, sha256 }: UploadSeal, run: CallRun): Promise<Sealed> {
  await using file = await openPartsIfAny(name)
  const found = await file?.stat({ bigint: true })
  if (file === undefined || found === undefined || Number(found.size) !== size)
    return { outcome: 'offset', size: Number(found?.size ?? 0), etag: '0' }
  if (sha256 !== undefined && (await digestOf(file, size, run)) !== sha256) {
    await cutUpload(name, 0)
    return { outcome: 'checksum', size: 0, etag: '0' }
  }
  await file.sync()
  return { outcome: 'sealed', size, etag: etagOf(found) }
}

async function digestOf(file: FileHandle, size: number, run: CallRun): Promise<string> {
  const [hash, piece] = [createHash('sha256'), Buffer.allocUnsafeSlow(pieceBytes)]
  let at = 0
  const stop = noting(run, () => ({ entries: 0, bytes: at, readBytes: at, archiveBytes: size }))
  try {
    while (at < size) {
      if (run.signal.aborted) throw new Refusal('CANCELLED')
      const { bytesRead } = await file.read(piece, 0, pieceBytes, at)
      if (bytesRead === 0) throw new Refusal('CHANGED', undefined, 'it shrank while it was checked')
      hash.update(piece.subarray(0, bytesRead))
      at += bytesRead
    }
    return hash.digest('hex')
  } finally {
    stop()
  }
}
