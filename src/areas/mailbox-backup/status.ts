import { Problem } from '../../core/problem.ts'
import { readUsersNow } from './directory.ts'
import type * as model from './model.ts'
import type { MailboxBackup } from './parts.ts'
import { runKind } from './settings/settings.ts'
import type { MailboxRow } from './store.ts'

/** Returns whether a run is under way, how far each mailbox is, and the last runs. */
export async function readStatus({ queries }: MailboxBackup): Promise<model.MailboxStatus> {
  const [job, runs, mailboxes, nextRun] = await Promise.all([
    queries.unfinishedJob(runKind),
    queries.runs(),
    queries.mailboxes(),
    queries.nextRun(runKind),
  ])
  return {
    running: job !== undefined,
    job_id: job?.id ?? null,
    percent: job?.percent ?? null,
    message: job?.message.slice(0, 1000) ?? '',
    next_run: nextRun,
    mailboxes: mailboxes.map(({ email, state, message, done_folders, all_folders, new_messages }) => ({
      ...{ email, message, done_folders, all_folders, new_messages },
      state: stateNow(state, job !== undefined),
    })),
    runs: [...runs],
  }
}

/** What a killed run has left that does not go on is not under way. */
const stateNow = (state: MailboxRow['state'], isRunning: boolean): MailboxRow['state'] =>
  !isRunning && (state === 'running' || state === 'waiting') ? 'failed' : state

/** Lists the mailboxes of the directory, those that have a backup and those that are excluded. Where the directory cannot be read, it says why. */
export async function listUsers(on: MailboxBackup, signal: AbortSignal): Promise<model.MailboxUsers> {
  const { idp, excluded } = await on.settings.read()
  const stored = new Map((await on.queries.mailboxes()).map((row) => [row.email, row]))
  const { found, error } = await readUsersNow(on, idp, signal).then(
    (found) => ({ found, error: '' }),
    (failure: unknown) => {
      if (failure instanceof Problem) return { found: [], error: failure.message.slice(0, 1000) }
      throw failure
    },
  )
  const named = new Map(found.map(({ email, displayName }) => [email, displayName]))
  const isRunning = (await on.queries.unfinishedJob(runKind)) !== undefined
  const emails = [...new Set([...named.keys(), ...stored.keys(), ...excluded])].toSorted()
  return {
    users: emails.map((email) => ({
      email,
      display_name: named.get(email) ?? stored.get(email)?.display_name ?? '',
      excluded: excluded.has(email),
      is_in_directory: named.has(email),
      ...backupOf(stored.get(email), isRunning),
    })),
    error,
  }
}

const backupOf = (row: MailboxRow | undefined, isRunning: boolean) => ({
  state: row === undefined ? null : stateNow(row.state, isRunning),
  message: row?.message ?? '',
  messages: row?.messages ?? 0,
  size_bytes: row?.size_bytes ?? 0,
  last_run: row?.last_run ?? null,
  last_success: row?.last_success ?? null,
})
