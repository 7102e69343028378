import type { Store } from '../../../store/store.ts'
import type { DirectoryUser } from '../directory.ts'
import { type MailboxQueries, type MailboxRow, mailboxes, type RunRow, runs } from '../store.ts'

type On = { readonly store: Store; readonly queries: MailboxQueries }

const fresh = {
  ...{ message: '', done_folders: 0, all_folders: 0, new_messages: 0, messages: 0, size_bytes: 0 },
  ...{ last_run: null, last_success: null },
}

/** Begins the record of a run, or goes on with that of one that was interrupted. */
export async function beginRun({ store, queries }: On, jobId: number, now: Date): Promise<RunRow> {
  const known = await queries.run(jobId)
  if (known !== undefined) {
    await store.transaction((tx) =>
      store.write(tx, [runs.updateWhere({ id: known.id }, { state: 'running', finished_at: null })]),
    )
    return known
  }
  const row = runs.row({
    id: store.nextId(runs.name),
    job_id: jobId,
    state: 'running',
    started_at: now.toISOString(),
    mailboxes: 0,
    failed: 0,
    new_messages: 0,
    error: '',
  })
  await store.transaction((tx) => store.write(tx, [runs.insert(row)]))
  return row
}

/** Stores how far a run is, or how it has ended. */
export async function recordRun(
  { store }: On,
  row: Pick<RunRow, 'id'>,
  values: Partial<Pick<RunRow, 'state' | 'finished_at' | 'mailboxes' | 'failed' | 'new_messages' | 'error'>>,
): Promise<void> {
  await store.transaction((tx) => store.write(tx, [runs.updateWhere({ id: row.id }, values)]))
}

/** Has all mailboxes of a run wait; those that an interrupted turn of it has finished stay so. */
export async function beginMailboxes(
  { store, queries }: On,
  users: readonly DirectoryUser[],
  since: string,
): Promise<readonly DirectoryUser[]> {
  const known = new Map((await queries.mailboxes()).map((row) => [row.email, row]))
  const left = users.filter(({ email }) => !isDone(known.get(email), since))
  await store.transaction((tx) =>
    store.write(
      tx,
      left.map(({ email, displayName }) => {
        const values = {
          ...{ state: 'waiting' as const, display_name: displayName, message: '' },
          ...{ done_folders: 0, all_folders: 0, new_messages: 0 },
        }
        return known.has(email)
          ? mailboxes.updateWhere({ email }, values)
          : mailboxes.insert(mailboxes.row({ ...fresh, ...values, email }))
      }),
    ),
  )
  return left
}

const isDone = (row: MailboxRow | undefined, since: string): boolean =>
  row !== undefined &&
  row.last_run !== null &&
  row.last_run >= since &&
  (row.state === 'ok' || row.state === 'no_mailbox')

/** Says of the mailboxes that a run has not finished why it has ended; one that goes on has them wait again. */
export async function endMailboxes({ store, queries }: On, message: string): Promise<void> {
  const left = (await queries.mailboxes()).filter(({ state }) => state === 'waiting' || state === 'running')
  if (left.length === 0) return
  const values = { state: 'failed' as const, message }
  await store.transaction((tx) =>
    store.write(
      tx,
      left.map(({ email }) => mailboxes.updateWhere({ email }, values)),
    ),
  )
}

/** Stores how far the backup of a mailbox is. */
export async function recordMailbox(
  { store }: On,
  email: string,
  values: Partial<Omit<MailboxRow, 'email'>>,
): Promise<void> {
  await store.transaction((tx) => store.write(tx, [mailboxes.updateWhere({ email }, values)]))
}
