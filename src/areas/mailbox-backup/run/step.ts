import type { StepKind, StepRun } from '../../../core/change.ts'
import { Problem } from '../../../core/problem.ts'
import { type Graph, GraphRefusal } from '../../../tools/graph/index.ts'
import { type DirectoryUser, openDirectory, readUsers } from '../directory.ts'
import { writeLog } from '../log.ts'
import type { MailboxBackup } from '../parts.ts'
import { SettingInvalid } from '../problems.ts'
import type { StoredSettings } from '../settings/stored.ts'
import type { OnMessages } from './fetch.ts'
import { backUpMailbox } from './mailbox.ts'
import { beginMailboxes, beginRun, endMailboxes, recordRun, recordMailbox } from './record.ts'

/** The run of a job. */
export interface RunArgs {
  readonly jobId: number
  /** Addresses in lower case; null for all that are not excluded. */
  readonly users: readonly string[] | null
}

/** How many mailboxes were backed up, and what of it was new. */
export interface RunResult {
  readonly mailboxes: number
  readonly failed: number
  readonly new_messages: number
}

interface Running {
  readonly graph: Graph
  readonly settings: StoredSettings
  readonly signal: AbortSignal
  readonly progress: (percent: number | null, message: string) => void
  readonly onMessages: OnMessages
}

const kept = 'a backup that was made is kept'

/** Makes the kind of step that backs up mailboxes one after another. What an interrupted one has stored stays, and the next goes on from it. */
export function runStep(on: MailboxBackup): StepKind<RunArgs, null, RunResult> {
  const ended = async ({ jobId }: RunArgs) => {
    const row = await on.queries.run(jobId)
    return row?.state === 'ok' || row?.state === 'failed' ? row : undefined
  }
  return {
    name: 'mailbox-backup.run',
    continues: true,
    plan: ({ users }) => ({
      title: users === null ? 'Back up all mailboxes that are not excluded' : `Back up ${users.join(', ')}`,
      irreversible: kept,
    }),
    observe: async () => null,
    act: (args, run) => carryOut(on, args, run),
    undo: async ({ jobId }) => {
      const row = await on.queries.run(jobId)
      if (row?.state === 'running')
        await recordRun(on, row, { state: 'cancelled', finished_at: new Date().toISOString() })
    },
    check: async (args) => ((await ended(args)) === undefined ? 'other' : 'wanted'),
    again: async (args) => {
      const row = await ended(args)
      return row && { mailboxes: row.mailboxes, failed: row.failed, new_messages: row.new_messages }
    },
    notUndone: kept,
  }
}

async function carryOut(
  on: MailboxBackup,
  args: RunArgs,
  { signal, progress }: Pick<StepRun<null>, 'signal' | 'progress'>,
): Promise<RunResult> {
  const run = await beginRun(on, args.jobId, new Date())
  const settings = await on.settings.read()
  const finished = () => ({ finished_at: new Date().toISOString() })
  let newMessages = run.new_messages
  // stored at once, so that the next turn of a killed run goes on counting
  const onMessages = async (count: number) => {
    newMessages += count
    await recordRun(on, run, { new_messages: newMessages })
  }
  try {
    const graph = openDirectory(on, settings.idp)
    const users = chosen(await readUsers(graph, signal), args, settings)
    const left = await beginMailboxes(on, users, run.started_at)
    const failed = await backUpAll(on, left, { graph, settings, signal, progress, onMessages })
    const result = { mailboxes: users.length, failed, new_messages: newMessages }
    await recordRun(on, run, { ...result, ...finished(), state: failed > 0 ? 'failed' : 'ok', error: '' })
    return result
  } catch (error) {
    const state = signal.aborted ? 'cancelled' : 'failed'
    await recordRun(on, run, { ...finished(), state, error: messageOf(error) })
    await endMailboxes(
      on,
      signal.aborted ? 'The run was cancelled' : `The run has failed: ${messageOf(error)}`.slice(0, 1000),
    )
    await writeLog(on, settings.dataDir, `the run has ended: ${messageOf(error)}`)
    throw error
  }
}

function chosen(
  users: readonly DirectoryUser[],
  { users: wanted }: RunArgs,
  { excluded }: StoredSettings,
): readonly DirectoryUser[] {
  if (wanted === null) return users.filter(({ email }) => !excluded.has(email))
  const missing = wanted.find((each) => users.every(({ email }) => email !== each))
  if (missing !== undefined) throw SettingInvalid(`users: the directory has no mailbox ${missing}`)
  return users.filter(({ email }) => wanted.includes(email))
}

/** A mailbox that fails does not keep the others from being backed up. */
async function backUpAll(
  on: MailboxBackup,
  users: readonly DirectoryUser[],
  { graph, settings, signal, progress, onMessages }: Running,
): Promise<number> {
  let [failed, newMessages] = [0, 0]
  const log = (text: string) => writeLog(on, settings.dataDir, text)
  await log(`a run begins: ${users.length} mailboxes`)
  for (const [index, user] of users.entries()) {
    signal.throwIfAborted()
    progress(Math.floor((index * 100) / users.length), `${user.email} (${index + 1} of ${users.length})`)
    try {
      const outcome = await backUpMailbox(on, user, { graph, settings, signal, onMessages })
      newMessages += outcome.newMessages
      const { state, leftOut } = outcome
      await log(
        state === 'ok'
          ? `${user.email}: ${outcome.newMessages} messages were new or had changed`
          : `${user.email}: has no mailbox`,
      )
      if (leftOut !== '') await log(`${user.email}: ${leftOut}`)
    } catch (error) {
      signal.throwIfAborted()
      if (!isExpected(error)) throw error
      failed += 1
      const message = messageOf(error)
      await recordMailbox(on, user.email, { state: 'failed', message, last_run: new Date().toISOString() })
      await log(`${user.email}: failed: ${message}`)
    }
  }
  await log(`the run has ended: ${newMessages} messages, ${failed} mailboxes failed`)
  return failed
}

const isExpected = (error: unknown): boolean => error instanceof Problem || error instanceof GraphRefusal

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 1000)
