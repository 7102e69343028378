import { Readable } from 'node:stream'
import type { Bytes } from '../../../core/reply.ts'
import { openArchive } from '../archive/archive.ts'
import { openContents } from '../archive/contents.ts'
import { readArchive, type Reading } from '../archive/reading.ts'
import { fileNameOf } from '../browse.ts'
import type { MailboxBackup } from '../parts.ts'
import { FolderMissing } from '../problems.ts'
import type { ExportQuery } from '../restore/model.ts'
import { postmarkOf, unixLines } from './lines.ts'

/** Opens the messages of a folder as a file of the mbox format, the oldest first. */
export const openMbox = (
  on: MailboxBackup,
  email: string,
  { folder, status }: ExportQuery,
  signal: AbortSignal,
): Promise<Bytes> =>
  readArchive(on, email, ({ archive, place, settings }) => {
    const ids = archive.messageIds({ folder, status })
    if (ids.length === 0) throw FolderMissing(`folder: the backup has no such messages in ${folder}`)
    const pieces = mboxOf(on, { place, settings }, ids, signal)
    return {
      stream: Readable.from(pieces, { objectMode: false }),
      mediaType: 'application/mbox',
      fileName: fileNameOf(folder, '.mbox'),
    }
  })

/** The file ends with a failure where a content cannot be read: a part of a folder must not look like all of it. */
async function* mboxOf(
  on: MailboxBackup,
  { place, settings }: Pick<Reading, 'place' | 'settings'>,
  ids: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const contents = openContents(on, settings, place)
  const archive = openArchive(on.files.real(place.database))
  try {
    for (const id of ids) {
      const row = archive.message(id)
      if (row === undefined) continue // forgotten since
      const { stream } = await contents.open({ hash: row.mime_hash, key: row.mime_key }, signal)
      yield Buffer.from(postmarkOf(row))
      yield* unixLines(stream)
      yield Buffer.from('\n')
    }
  } finally {
    archive.close()
  }
}
