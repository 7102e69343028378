import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { StepKind, StepRun } from '../../../core/change.ts'
import { Problem } from '../../../core/problem.ts'
import { finalStep } from '../../../core/steps.ts'
import { type Graph, GraphRefusal, importMessage } from '../../../tools/graph/index.ts'
import { type Contents, openContents } from '../archive/contents.ts'
import { readArchive } from '../archive/reading.ts'
import type { MessageRow } from '../archive/rows.ts'
import { openDirectory, readUsers } from '../directory.ts'
import { writeLog } from '../log.ts'
import type { MailboxBackup } from '../parts.ts'
import { ContentFailed, IdpFailed, RestoreInvalid } from '../problems.ts'
import { type Destination, isThere, openDestination } from './destination.ts'
import { messageIdOf } from './message-id.ts'

/** The messages to restore, and the mailbox and the folder that they are restored into. */
export interface RestoreArgs {
  readonly email: string
  /** Null for those of a folder. */
  readonly messageIds: readonly string[] | null
  readonly folder: string | null
  /** Null for both. */
  readonly status: MessageRow['status'] | null
  readonly to: string
  readonly into: string
}

/** How many messages were restored, were there already, and could not be restored. */
export interface RestoreResult {
  readonly restored: number
  readonly already_there: number
  readonly failed: number
}

/** A message is in memory as a whole, three times while it is sent. By default, the service takes no larger one. */
const mostBytes = 36 * 1024 * 1024

/** Makes the kind of step that restores messages. What the mailbox has already is left out, so that an interrupted one goes on. */
export function restoreStep(on: MailboxBackup): StepKind<RestoreArgs, null, RestoreResult> {
  return {
    ...finalStep<RestoreArgs, null, RestoreResult>({
      name: 'mailbox-backup.restore',
      plan: ({ email, to, into }) => ({ title: `Restore messages of ${email} into ${into} of ${to}` }),
      why: 'a message that was restored stays in the mailbox',
      act: (args, run) => restoreMessages(on, args, run).catch(orProblem),
      isDone: async () => undefined,
    }),
    continues: true,
  }
}

function orProblem(error: unknown): never {
  if (!(error instanceof GraphRefusal)) throw error
  const hint = error.status === 403 ? '; the application needs Mail-Advanced.ReadWrite.All' : ''
  throw IdpFailed(`${error.message}${hint}`)
}

async function restoreMessages(
  on: MailboxBackup,
  args: RestoreArgs,
  { signal, progress, output }: Pick<StepRun<null>, 'signal' | 'progress' | 'output'>,
): Promise<RestoreResult> {
  const { idp, dataDir } = await on.settings.read()
  const graph = openDirectory(on, idp)
  const user = (await readUsers(graph, signal)).find(({ email }) => email === args.to)
  if (user === undefined) throw RestoreInvalid(`to: the directory has no mailbox ${args.to}`)
  const destination = await openDestination(graph, { userId: user.id, top: args.into }, signal)
  const counts = { restored: 0, already_there: 0, failed: 0 }
  await readArchive(on, args.email, async ({ archive, place, settings }) => {
    const into = { graph, userId: user.id, destination, contents: openContents(on, settings, place), signal }
    const ids = args.messageIds ?? archive.messageIds(selectionOf(args))
    for (const [index, id] of ids.entries()) {
      signal.throwIfAborted()
      progress(Math.floor((index * 100) / ids.length), `${index} of ${ids.length} messages`)
      const row = archive.message(id)
      if (row === undefined) continue // forgotten since
      const { outcome, reason } = await restoreMessage(into, row).catch(failureOf)
      counts[outcome] += 1
      if (outcome === 'failed') output(`${row.subject || 'no subject'}: ${reason}`)
    }
  })
  const told = `restored ${counts.restored} messages into ${args.to}, ${counts.failed} failed`
  await writeLog(on, dataDir, `${args.email}: ${told}`)
  return counts
}

/** Returns which messages of a folder are restored. */
export const selectionOf = ({ folder, status }: Pick<RestoreArgs, 'folder' | 'status'>) => ({
  folder: folder ?? undefined,
  status: status ?? undefined,
})

interface RestoringInto {
  readonly graph: Graph
  readonly userId: string
  readonly destination: Destination
  readonly contents: Contents
  readonly signal: AbortSignal
}

interface Restored {
  readonly outcome: keyof RestoreResult
  readonly reason: string
}

async function restoreMessage(
  { graph, userId, destination, contents, signal }: RestoringInto,
  row: MessageRow,
): Promise<Restored> {
  const { stream, sizeBytes } = await contents.open({ hash: row.mime_hash, key: row.mime_key }, signal)
  if (sizeBytes > mostBytes) {
    stream.destroy()
    return failed(`it has ${sizeBytes} bytes, more than the ${mostBytes} that are sent: download it`)
  }
  const mime = await buffer(stream)
  if (createHash('sha256').update(mime).digest('hex') !== row.mime_hash)
    return failed('its content in the backup is damaged')
  const target = await destination.folderFor(row.folder, signal)
  if (isThere(target, messageIdOf(mime))) return { outcome: 'already_there', reason: '' }
  await importMessage(graph, { userId, folderId: target.id }, mime, signal)
  return { outcome: 'restored', reason: '' }
}

const failed = (reason: string): Restored => ({ outcome: 'failed', reason })

/** What is said of one message alone: it is malformed, or larger than the service takes. */
const ofOneMessage: ReadonlySet<number> = new Set([400, 413, 422])

function failureOf(error: unknown): Restored {
  if (error instanceof Problem && error.kind === ContentFailed) return failed(error.message)
  if (error instanceof GraphRefusal && ofOneMessage.has(error.status)) return failed(error.message)
  throw error
}
