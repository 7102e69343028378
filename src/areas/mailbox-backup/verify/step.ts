import type { StepKind, StepRun } from '../../../core/change.ts'
import { Problem } from '../../../core/problem.ts'
import { type Graph, GraphRefusal } from '../../../tools/graph/index.ts'
import { readArchive } from '../archive/reading.ts'
import { openDirectory, readUsers } from '../directory.ts'
import { writeLog } from '../log.ts'
import type { MailboxBackup } from '../parts.ts'
import { ArchiveFailed } from '../problems.ts'
import type { VerificationRow } from '../store.ts'
import { verifyContents } from './contents.ts'
import { recordVerification, type Verified } from './record.ts'
import { compareWithServer } from './server.ts'

/** The backups to verify. */
export interface VerifyArgs {
  readonly jobId: number
  /** Addresses in lower case. */
  readonly users: readonly string[]
  /** Messages of each mailbox whose bytes are read from the server. */
  readonly sample: number
}

/** How many backups were verified, had findings, and could not be verified. */
export interface VerifyResult {
  readonly mailboxes: number
  readonly with_findings: number
  readonly failed: number
}

const kept = 'what a verification has found is no change'

/** Makes the kind of step that verifies backups one after another. An interrupted one goes on with the next mailbox. */
export function verifyStep(on: MailboxBackup): StepKind<VerifyArgs, null, VerifyResult> {
  const result = async (args: VerifyArgs) => {
    const rows = await rowsOf(on, args)
    return rows.length < args.users.length ? undefined : resultOf(rows)
  }
  return {
    name: 'mailbox-backup.verify',
    continues: true,
    plan: ({ users }) => ({
      title: `Verify the backups of ${users.length === 1 ? users.join('') : `${users.length} mailboxes`}`,
      irreversible: kept,
    }),
    observe: async () => null,
    act: (args, run) => verifyAll(on, args, run),
    undo: async () => {},
    check: async (args) => ((await result(args)) === undefined ? 'other' : 'wanted'),
    again: result,
    notUndone: kept,
  }
}

const rowsOf = async ({ queries }: MailboxBackup, { jobId, users }: VerifyArgs) =>
  (await queries.verifications()).filter(({ job_id, email }) => job_id === jobId && users.includes(email))

const resultOf = (rows: readonly VerificationRow[]): VerifyResult => ({
  mailboxes: rows.length,
  with_findings: rows.filter(({ state }) => state !== 'ok' && state !== 'failed').length,
  failed: rows.filter(({ state }) => state === 'failed').length,
})

async function verifyAll(
  on: MailboxBackup,
  args: VerifyArgs,
  { signal, progress }: Pick<StepRun<null>, 'signal' | 'progress'>,
): Promise<VerifyResult> {
  const { idp, dataDir } = await on.settings.read()
  const graph = openDirectory(on, idp)
  const ids = new Map((await readUsers(graph, signal)).map(({ email, id }) => [email, id]))
  const done = new Set((await rowsOf(on, args)).map(({ email }) => email))
  for (const [index, email] of args.users.entries()) {
    signal.throwIfAborted()
    if (done.has(email)) continue
    const { length } = args.users
    progress(Math.floor((index * 100) / length), `${email} (${index + 1} of ${length})`)
    const verifying = { graph, userId: ids.get(email), sample: args.sample, signal }
    const verified = await verifyMailbox(on, email, verifying).catch((error: unknown) => {
      signal.throwIfAborted()
      return notVerified(error)
    })
    await recordVerification(on, { email, jobId: args.jobId }, verified)
    const reason = verified.message === '' ? '' : `: ${verified.message}`
    await writeLog(on, dataDir, `${email}: verified: ${verified.state}${reason}`)
  }
  return resultOf(await rowsOf(on, args))
}

interface Verifying {
  readonly graph: Graph
  readonly userId: string | undefined
  readonly sample: number
  readonly signal: AbortSignal
}

const verifyMailbox = (on: MailboxBackup, email: string, verifying: Verifying): Promise<Verified> =>
  readArchive(on, email, async (reading) => {
    const { archive } = reading
    const fault = archive.fault()
    if (fault !== undefined) throw ArchiveFailed(`the database of the mailbox is damaged: ${fault}`)
    const stored = await verifyContents(on, reading, verifying.signal)
    const server = await compareWithServer(archive, verifying)
    const { length: messages } = archive.messageIds({ folder: undefined, status: undefined })
    return { ...stored, ...server, messages, ...judged({ ...stored, ...server }) }
  })

type Judged = Pick<Verified, 'missing_contents' | 'damaged_contents' | 'differing' | 'missing_messages'>

/** The worst finding gives the state. */
function judged(found: Judged): Pick<Verified, 'state' | 'message'> {
  const { missing_contents, damaged_contents, differing, missing_messages } = found
  const told = (text: string) => ({ message: text })
  if (missing_contents + damaged_contents > 0)
    return {
      state: 'damaged',
      ...told(`Contents that are missing: ${missing_contents}, that are damaged: ${damaged_contents}`),
    }
  if (differing > 0)
    return { state: 'differs', ...told(`Messages with other bytes on the server: ${differing}`) }
  if (missing_messages > 0)
    return {
      state: 'incomplete',
      ...told(`Messages that are not in the backup: ${missing_messages}. Back the mailbox up`),
    }
  return { state: 'ok', ...told('') }
}

const nothingFound = {
  ...{ messages: 0, contents: 0, missing_contents: 0, damaged_contents: 0, unused_objects: 0 },
  ...{ server_messages: null, missing_messages: 0, gone_messages: 0, compared: 0, differing: 0 },
}

/** One that cannot be verified does not keep the others from it. */
function notVerified(error: unknown): Verified {
  if (error instanceof Problem || error instanceof GraphRefusal)
    return { ...nothingFound, state: 'failed', message: error.message.slice(0, 1000) }
  throw error
}
