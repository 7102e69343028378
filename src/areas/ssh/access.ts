import { type Step, step } from '../../core/change.ts'
import { Unavailable } from '../../core/problem.ts'
import type { Account } from '../../host/accounts.ts'
import type { Access, AccountAccess } from '../../tools/openssh/index.ts'
import { AccessUnsuitable, type AccountEdit, type AccountEffects, accountOf } from '../users/index.ts'
import type { SshUser } from './account.ts'
import type { Ssh } from './context.ts'
import type { SshAccess } from './model.ts'
import { sshAccess, type SshAccessRow } from './store.ts'

/** Shows how a user can sign in over SSH, and when that was done last. */
export async function readAccess(on: Ssh, { user, account }: SshUser): Promise<SshAccess> {
  const [row, signIns, obstacle] = await Promise.all([
    on.queries.accessOf(user.id),
    on.openssh.signInsOf(account.username),
    on.openssh.obstacle(),
  ])
  const isAdmitted = row.sftp === 1 && user.is_suspended === 0
  return {
    sftp: row.sftp === 1,
    shell: row.runs_commands === 1,
    takes_password: row.takes_password === 1,
    is_suspended: user.is_suspended === 1,
    obstacle: obstacle ?? null,
    refusals: isAdmitted ? [...(await on.openssh.refusalsOf(account.username))] : [],
    sign_ins: signIns.slice(0, mostSignIns),
  }
}

const mostSignIns = 20

/** Returns what an edit of a user changes in sshd: a suspended user is refused, whatever was set for them. */
export async function accessAfter(
  on: Ssh,
  { user, edit, isSuspended }: AccountEdit,
): Promise<AccountEffects> {
  const { sftp, shell, sftp_password } = edit
  const isAsked = sftp !== undefined || shell !== undefined || sftp_password !== undefined
  const account = user.username === null ? undefined : await accountOf(on.users, user.username)
  if (account === undefined) {
    if (isAsked)
      throw AccessUnsuitable(
        `${fieldOf(edit)}: ${user.email} has no Linux account on this host, which SSH needs`,
      )
    return {}
  }
  const now = await on.queries.accessOf(user.id)
  const row = sshAccess.changed(now, {
    ...(sftp !== undefined && { sftp }),
    ...(shell !== undefined && { runs_commands: shell }),
    ...(sftp_password !== undefined && { takes_password: sftp_password !== null }),
  })
  if (row.sftp === 0 && row.runs_commands === 1)
    throw AccessUnsuitable(`${fieldOf(edit)}: a shell transfers files too; switch off shell with sftp`)
  const { steps, details } = await stepsFor(on, { account, row, isSuspended, isAsked })
  return {
    details,
    steps: [...steps, ...passwordSteps(on, account, sftp_password)],
    rows: isAsked ? [sshAccess.delete({ user_id: user.id }), sshAccess.insert(row)] : [],
  }
}

interface Wanted {
  readonly account: Account
  readonly row: SshAccessRow
  readonly isSuspended: boolean
  readonly isAsked: boolean
}

async function stepsFor(on: Ssh, { account, row, isSuspended, isAsked }: Wanted) {
  const access = accessFor(account, row, isSuspended)
  if (!(await on.openssh.isOutdated(access))) return { steps: [], details: [] }
  const obstacle = await on.openssh.obstacle()
  if (obstacle === undefined) return { steps: [step(on.openssh.steps.setAccess, access)], details: [] }
  if (isAsked) throw Unavailable(obstacle)
  return { steps: [], details: [`Signing in over SSH is not affected: ${obstacle}`] }
}

/** What sshd is told about an account. */
export function accessFor(
  { username, home }: Account,
  row: Pick<SshAccessRow, 'sftp' | 'runs_commands' | 'takes_password'>,
  isSuspended: boolean,
): AccountAccess {
  const access: Access = isSuspended || row.sftp === 0 ? 'none' : row.runs_commands === 0 ? 'sftp' : 'all'
  return { username, home, access, takesPassword: row.takes_password === 1 }
}

function passwordSteps(on: Ssh, { username }: Account, password: string | null | undefined): readonly Step[] {
  return password === undefined ? [] : [step(on.openssh.steps.setPassword, { username, password })]
}

const fieldOf = ({ sftp, shell }: AccountEdit['edit']): string =>
  sftp !== undefined ? 'sftp' : shell !== undefined ? 'shell' : 'sftp_password'
