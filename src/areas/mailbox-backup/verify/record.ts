import type { Store } from '../../../store/store.ts'
import { type MailboxQueries, type VerificationRow, verifications } from '../store.ts'

/** What a verification has found about a mailbox. */
export type Verified = Omit<VerificationRow, 'email' | 'job_id' | 'verified_at'>

/** Stores what was found, in place of what an earlier verification of the mailbox found. */
export async function recordVerification(
  { store, queries }: { readonly store: Store; readonly queries: MailboxQueries },
  { email, jobId }: { readonly email: string; readonly jobId: number },
  verified: Verified,
): Promise<void> {
  const values = { ...verified, job_id: jobId, verified_at: new Date().toISOString() }
  const known = await queries.verification(email)
  const write =
    known === undefined
      ? verifications.insert(verifications.row({ ...values, email }))
      : verifications.updateWhere({ email }, values)
  await store.transaction((tx) => store.write(tx, [write]))
}
