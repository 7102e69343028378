import type { Log } from '../../../core/endpoint.ts'
import { Problem, Unavailable } from '../../../core/problem.ts'
import type { OwnerOf } from '../steps/files.ts'
import { pathIn } from './path-in.ts'
import { partsOf } from './steps.ts'
import type { UploadQueries, UploadRow } from './store.ts'
import type { UploadTakeover } from './upload-takeover.ts'

interface Parts {
  readonly queries: UploadQueries
  readonly takeover: UploadTakeover
  readonly ownerOf: OwnerOf
  readonly log: Log
}

/** Removes the uploads that expired, but for what is being received. */
export async function removeExpired(
  { queries, takeover, ownerOf, log }: Parts,
  now: Date | undefined,
): Promise<{ readonly removed: number }> {
  if (now === undefined) return { removed: 0 } // parts that are sent again cost their callers hours
  const rows = (await queries.expired(now)).filter(({ id }) => !takeover.isTaken(id))
  let removed = 0
  for (const row of rows) {
    try {
      if (row.state === 'open') await dropParts(ownerOf, row)
      await queries.remove(row.id)
      removed++
    } catch (error) {
      log.warn({ err: error, uploadId: row.id }, 'removing an upload that expired failed') // the next hour tries again
    }
  }
  return { removed }
}

// With the account went its home.
async function dropParts(ownerOf: OwnerOf, row: UploadRow): Promise<void> {
  try {
    await (await partsOf(ownerOf, { ...row, path: pathIn(row) })).cut()
  } catch (error) {
    if (!(error instanceof Problem && error.kind === Unavailable)) throw error
  }
}
