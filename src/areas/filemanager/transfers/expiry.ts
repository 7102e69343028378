import { Problem, Unavailable } from '../../../core/problem.ts'
import type { Filemanager } from '../context.ts'
import type { OwnerOf } from '../steps/files.ts'
import { pathIn } from './path-in.ts'
import { partsOf } from './steps.ts'
import type { UploadRow } from './store.ts'

/** Removes expired uploads, except those that are receiving a part. */
export async function removeExpired(
  { uploads, takeover, ownerOf, log }: Filemanager,
  now: Date | undefined,
): Promise<{ readonly removed: number }> {
  if (now === undefined) return { removed: 0 } // without a trusted clock nothing is removed: sending parts again costs callers hours
  const rows = (await uploads.expired(now)).filter(({ id }) => !takeover.isTaken(id))
  let removed = 0
  for (const row of rows) {
    try {
      if (row.state === 'open') await dropParts(ownerOf, row)
      await uploads.remove(row.id)
      removed++
    } catch (error) {
      log.warn({ err: error, uploadId: row.id }, 'removing an expired upload failed') // the next hourly run retries
    }
  }
  return { removed }
}

// If the account was removed, its home with the parts is removed too.
async function dropParts(ownerOf: OwnerOf, row: UploadRow): Promise<void> {
  try {
    await (await partsOf(ownerOf, { ...row, path: pathIn(row) })).cut()
  } catch (error) {
    if (!(error instanceof Problem && error.kind === Unavailable)) throw error
  }
}
