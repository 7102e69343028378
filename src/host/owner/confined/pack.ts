import { isUtf8 } from 'node:buffer'
import { lstat } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { callbackify } from 'node:util'
import { about, Refusal, type PackCall } from './calls.ts'
import { headerBytes } from './frames.ts'
import { Gather } from './gather.ts'
import { packTar } from './pack-tar.ts'
import { packZip } from './pack-zip.ts'
import { local, parentOf } from './paths.ts'
import { bare } from './place.ts'
import type { CallRun } from './session.ts'

/** Streams a folder as an archive while it is packed: nothing is stored, and a file that cannot be read to its end is a failure. */
export async function sendArchive(call: PackCall, run: CallRun): Promise<void> {
  const path = bare(call.path)
  const found = await lstat(local(path)).catch(about(call.path))
  if (found.isSymbolicLink())
    throw new Refusal('ISLINK', call.path, 'it is a link, and links are not followed')
  if (!found.isDirectory()) throw new Refusal('ENOTDIR', call.path)
  let base = parentOf(path)
  while (!isUtf8(Buffer.from(base, 'latin1'))) base = parentOf(base)
  const names = [path.slice(base === '' ? 0 : base.length + 1)]
  const seen = { entries: 0, bytes: 0 }
  run.head({})
  const gather = sending(run)
  if (call.format === 'zip') await packZip({ base, names, seen }, (part) => gather.write(part), run)
  else await packTar({ base, names, format: call.format, seen, shrinks: false }, writableOf(gather), run)
  await gather.flush()
}

// At most as much at a time as the reader has granted.
function sending(run: CallRun): Gather {
  return new Gather(async (framed, sizeBytes) => {
    for (let at = 0; at < sizeBytes;) {
      const size = Math.min(await run.room(), sizeBytes - at)
      if (at > 0) framed.copyWithin(headerBytes, headerBytes + at, headerBytes + at + size)
      await run.send(framed, size)
      at += size
    }
  })
}

function writableOf(gather: Gather): Writable {
  const write = callbackify((part: Buffer) => gather.write(part))
  return new Writable({ write: (part: Buffer, _encoding, done) => write(part, done) })
}
