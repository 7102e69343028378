import { step } from '../../core/change.ts'
import { accountOf, type Belongings, type Deletion } from '../users/index.ts'
import { accessFor } from './access.ts'
import type { Ssh } from './context.ts'
import { sshAccess, sshKeys } from './store.ts'

/** A locked or removed account accepts no key any more; the file of keys stays or leaves with the home. */
export async function sshOfDeleted(on: Ssh, { user }: Deletion): Promise<Belongings> {
  const count = (await on.queries.addedAt(user.id)).size
  const account = user.username === null ? undefined : await accountOf(on.users, user.username)
  const access = account && accessFor(account, { sftp: 1, runs_commands: 1, takes_password: 0 }, false)
  const isRestricted = access !== undefined && (await on.openssh.isOutdated(access))
  return {
    details: count === 0 ? [] : [`${count} SSH ${count === 1 ? 'key is' : 'keys are'} no longer accepted`],
    steps: isRestricted ? [step(on.openssh.steps.setAccess, access)] : [],
    rows: [sshKeys.delete({ user_id: user.id }), sshAccess.delete({ user_id: user.id })],
  }
}
