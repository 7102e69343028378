import Type from 'typebox'
import { change, step } from '../../../core/change.ts'
import { from } from '../../../core/returned.ts'
import { work } from '../context.ts'
import { assertSet } from '../directory.ts'
import type { MailboxBackup } from '../parts.ts'
import { SettingInvalid, VerifiesAlready } from '../problems.ts'
import { runLock } from '../run/lock.ts'
import type { MailboxVerifications } from './model.ts'

const verifyKind = 'mailbox-backup.verify'
const Count = Type.Integer()

/** Backups are compared with their hashes and with the server; not while a run changes them. */
export const verifyingBackups = work({
  kind: verifyKind,
  input: Type.Object({ users: Type.Optional(Type.Array(Type.String())), sample: Type.Integer() }),
  reply: Type.Object({ mailboxes: Count, with_findings: Count, failed: Count }),
  timeoutMs: 24 * 3_600_000,
  attempts: 1,
  resumes: true,
  lane: 'network',
  single: VerifiesAlready,
  decide: async ({ mailboxBackup: on, input: { users, sample }, jobId = 0 }) => {
    on.assertEnabled()
    assertSet((await on.settings.read()).idp)
    const chosen = await chosenBackups(on, users)
    const run = step(on.verify, { jobId, users: chosen, sample })
    return change({
      summary: `Verify the backups of ${chosen.length} mailboxes`,
      locks: [runLock],
      steps: [run],
      reply: {
        mailboxes: from(run, 'mailboxes'),
        with_findings: from(run, 'with_findings'),
        failed: from(run, 'failed'),
      },
    })
  },
})

/** Returns the addresses of those that have a backup, or of some of them; throws SettingInvalid. */
async function chosenBackups(
  { queries }: MailboxBackup,
  users: readonly string[] | undefined,
): Promise<readonly string[]> {
  const known = (await queries.mailboxes()).filter((row) => row.last_success !== null).map((row) => row.email)
  const wanted = users && [...new Set(users.map((each) => each.toLowerCase()))].toSorted()
  const missing = wanted?.find((each) => !known.includes(each))
  if (missing !== undefined) throw SettingInvalid(`users: there is no backup of ${missing}`)
  if (known.length === 0) throw SettingInvalid('users: there is no backup to verify')
  return wanted ?? known
}

/** Returns whether backups are being verified, and what the last verification found about each. */
export async function readVerifications({ queries }: MailboxBackup): Promise<MailboxVerifications> {
  const [job, rows] = await Promise.all([queries.unfinishedJob(verifyKind), queries.verifications()])
  return {
    running: job !== undefined,
    job_id: job?.id ?? null,
    mailboxes: rows.map(({ job_id: _jobId, ...shown }) => shown),
  }
}
