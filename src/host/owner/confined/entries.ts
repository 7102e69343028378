import { failureOf, type ArchiveRow, type ArchiveRows, type EntriesCall } from './calls.ts'
import { explained, readArchive, refuseRatio } from './read-archive.ts'
import type { CallRun } from './session.ts'
import type { TarHeader } from './tar-headers.ts'
import { TarRules } from './tar-rules.ts'
import { openDirectory } from './unpacked.ts'

/** Keeps a reply of the longest names within its limit. */
const maxNameBytes = 1024 * 1024

/**
 * Lists the entries of an archive under the rules for unpacking it. A reason to refuse it that comes after the first entry ends the list; the
 * content of a zip or 7z archive, and the rest of a tar archive that is not read in time, is not checked.
 */
export async function entriesOfArchive(call: EntriesCall, run: CallRun): Promise<ArchiveRows> {
  const rows: ArchiveRow[] = []
  let nameBytes = 0
  const rules = new TarRules(call.limits, (entry) => {
    nameBytes += entry.name.length
    if (rows.length < call.maxRows && nameBytes <= maxNameBytes) rows.push(rowOf(entry))
  })
  const endsAt = performance.now() + call.maxMs
  return readArchive(
    call,
    run,
    rules,
    async (stream, note): Promise<ArchiveRows> => {
      const cutBy = await readTo(endsAt, stream)
        .then((reason) => {
          const { archiveBytes } = note()
          const declared = { readBytes: archiveBytes, unpackedBytes: rules.bytes }
          refuseRatio(declared, rules.entries, call.limits.maxRatio)
          return reason
        })
        .catch((error: unknown) => {
          const failure = failureOf(explained(error, call.archive))
          if (failure.code !== 'REFUSED' || rows.length === 0) throw error
          return failure.why
        })
      return { rows, entries: rules.entries, bytes: rules.bytes, ...(cutBy !== undefined && { cutBy }) }
    },
    openDirectory,
  )
}

async function readTo(endsAt: number, stream: AsyncGenerator<Buffer>): Promise<string | undefined> {
  for await (const _ of stream) if (performance.now() > endsAt) return 'reading all of it takes too long'
  return undefined
}

function rowOf({ name, type, size, mtime, nanos = 0 }: TarHeader): ArchiveRow {
  return {
    path: name,
    type: type === '5' ? 'folder' : type === '0' ? 'file' : 'link',
    size,
    mtimeMs: mtime * 1000 + Math.floor(nanos / 1_000_000),
  }
}
