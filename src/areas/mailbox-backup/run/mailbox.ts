import { Problem } from '../../../core/problem.ts'
import { type Graph, listFolders } from '../../../tools/graph/index.ts'
import { type Archive, openArchive } from '../archive/archive.ts'
import { openContents } from '../archive/contents.ts'
import { placeOf } from '../archive/place.ts'
import { type DirectoryUser, hasNoMailbox } from '../directory.ts'
import { writeLog } from '../log.ts'
import type { MailboxBackup } from '../parts.ts'
import type { StoredSettings } from '../settings/stored.ts'
import type { OnMessages } from './fetch.ts'
import { backUpFolder } from './folder.ts'
import type { MailboxRun } from './message.ts'
import { recordMailbox } from './record.ts'

/** How the backup of a mailbox ended. */
export interface MailboxOutcome {
  readonly state: 'ok' | 'no_mailbox'
  readonly newMessages: number
  /** What was left out; empty if nothing was. */
  readonly leftOut: string
}

interface Backing {
  readonly graph: Graph
  readonly settings: StoredSettings
  readonly signal: AbortSignal
  readonly onMessages: OnMessages
}

const dayMs = 86_400_000

/** Brings the backup of a mailbox up to date. */
export async function backUpMailbox(
  on: MailboxBackup,
  { id: userId, email }: DirectoryUser,
  { graph, settings, signal, onMessages }: Backing,
): Promise<MailboxOutcome> {
  await recordMailbox(on, email, { state: 'running' })
  const folders = await listFolders(graph, userId, signal).catch((error: unknown) => {
    if (hasNoMailbox(error)) return undefined
    throw error
  })
  if (folders === undefined) {
    await recordMailbox(on, email, { state: 'no_mailbox', last_run: new Date().toISOString() })
    return { state: 'no_mailbox', newMessages: 0, leftOut: '' }
  }
  const place = placeOf(settings.dataDir, email)
  await makeFolders(on, [settings.dataDir, place.folder], place.incoming)
  const archive = openArchive(on.files.real(place.database))
  const contents = openContents(on, settings, place)
  let newMessages = 0
  try {
    const isRemote = settings.storage === 's3'
    const run = { graph, userId, archive, contents, isRemote, signal, now: () => new Date() }
    for (const [done, folder] of folders.entries()) {
      await recordMailbox(on, email, { done_folders: done, all_folders: folders.length })
      await backUpFolder(run, folder, async (count) => {
        newMessages += count
        await recordMailbox(on, email, { new_messages: newMessages })
        await onMessages(count)
      })
    }
    const folderIds = folders.map(({ id }) => id)
    archive.dropFoldersBut(folderIds, new Date().toISOString())
    archive.forgetLeftOutBut(folderIds)
    await forgetOld(on, run, settings).catch((error: unknown) => notForgotten(on, { email, settings, error }))
    const leftOut = leftOutOf(archive)
    await recordSuccess(on, email, archive, { folders: folders.length, leftOut })
    return { state: 'ok', newMessages, leftOut }
  } finally {
    archive.close()
  }
}

/** Removes what was deleted too long ago; nothing while the clock may be wrong. */
async function forgetOld(
  { store }: MailboxBackup,
  { archive, contents, signal }: Pick<MailboxRun, 'archive' | 'contents' | 'signal'>,
  { retentionDays }: StoredSettings,
): Promise<void> {
  const trusted = store.trustedNow()
  if (trusted === undefined) return
  const before = new Date(trusted.getTime() - retentionDays * dayMs).toISOString()
  // an interrupted or failed removal is repeated by the next run
  for (const content of archive.contentsBefore(before)) await contents.drop(content, signal)
  archive.forgetBefore(before)
}

interface NotForgotten {
  readonly email: string
  readonly settings: StoredSettings
  readonly error: unknown
}

/** An access key that may not remove anything is no failure of a backup: the next run tries again. */
async function notForgotten(on: MailboxBackup, { email, settings, error }: NotForgotten): Promise<void> {
  if (!(error instanceof Problem)) throw error
  await writeLog(on, settings.dataDir, `${email}: old messages are kept: ${error.message}`)
}

/** Tells what the server could not send. */
function leftOutOf(archive: Archive): string {
  const [first, ...others] = archive.leftOut()
  if (first === undefined) return ''
  return `Messages that the server cannot send, and that are left out: ${others.length + 1}. ${first.reason}`
}

async function recordSuccess(
  on: MailboxBackup,
  email: string,
  archive: Archive,
  { folders, leftOut }: { readonly folders: number; readonly leftOut: string },
): Promise<void> {
  const endedAt = new Date().toISOString()
  const all = { folder: undefined, text: '', limit: 0, offset: 0 }
  await recordMailbox(on, email, {
    state: 'ok',
    message: leftOut,
    last_run: endedAt,
    last_success: endedAt,
    done_folders: folders,
    all_folders: folders,
    messages: archive.countMessages(all),
    size_bytes: archive.sizeBytes(),
  })
}

/** What an interrupted run received in part is removed. */
async function makeFolders(
  { files }: MailboxBackup,
  folders: readonly string[],
  incoming: string,
): Promise<void> {
  // a folder that somebody has made keeps its rights
  for (const folder of folders)
    if ((await files.facts(folder)) === undefined) await files.makeDirectory(folder, { mode: 0o700 })
  await files.removeTree(incoming)
  await files.makeDirectory(incoming, { mode: 0o700 })
}
