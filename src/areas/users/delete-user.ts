import Type from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { type Change, change, type RowWrite, type Step, step } from '../../core/change.ts'
import { Unavailable } from '../../core/problem.ts'
import { OneOf, Text } from '../../core/schemas.ts'
import { accountOf } from './find.ts'
import { type Belongings, belongings, type Deletion, type FilesOfDeleted } from './belongings.ts'
import { type Users, work } from './context.ts'
import { accountLock, superusersLock, userLock } from './locks.ts'
import { assertMayDelete } from './rights.ts'
import { accountUids, apiKeys, userPermissions, users } from './store.ts'

const Input = Type.Object({
  uid: Type.Integer(),
  files: OneOf(['keep', 'archive', 'remove']),
  databases: OneOf(['keep', 'remove']),
  overwrite: Type.Boolean(),
})

const Deleted = Type.Object({
  success: Type.Literal(true),
  archive: Type.Union([Text(4096), Type.Null()], {
    description: 'The archive of the home, which only root can read; null without files=archive',
  }),
})

const hourMs = 3_600_000

/** Deletes a user with all that the areas have of them. */
export const deleting = work({
  kind: 'users.delete',
  lane: 'files',
  input: Input,
  reply: Deleted,
  timeoutMs: 6 * hourMs,
  attempts: 1,
  resumes: false,
  decide: async ({ input: { uid, ...how }, caller, now, users: on }) =>
    deleteUser(on, { user: await on.queries.load(uid), ...how }, { caller, now }),
})

interface Deciding {
  readonly caller: Caller | null
  readonly now: Date
}

/** Returns the change that deletes a user with all that the areas have of them. */
export async function deleteUser(
  on: Users,
  deletion: Deletion,
  { caller, now }: Deciding,
): Promise<Change<{ success: true; archive: string | null }>> {
  assertMayDelete(caller, deletion.user, await on.queries.activeSuperusers())
  const parts = [await ownBelongings(on, deletion)]
  for (const belongingsOf of on.partsOf(belongings)) parts.push(await belongingsOf(deletion))
  return deletionOf(deletion, parts, await accountSteps(on, deletion, now))
}

async function ownBelongings({ queries }: Users, { user }: Deletion): Promise<Belongings> {
  const keys = await queries.apiKeysOf(user.id)
  return {
    details: keys.length === 0 ? [] : [`${counted(keys.length, 'API key')} deleted`],
    rows: [apiKeys.delete({ user_id: user.id }), userPermissions.delete({ user_id: user.id })],
  }
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? ' is' : 's are'}`

interface AccountEnd {
  readonly steps: readonly Step[]
  readonly rows: readonly RowWrite[]
  readonly archive: string | null
}

/** An account that no longer exists on this host needs no step. */
async function accountSteps(on: Users, deletion: Deletion, now: Date): Promise<AccountEnd> {
  const { username } = deletion.user
  const account = username === null ? undefined : await accountOf(on, username)
  if (account === undefined) return { steps: [], rows: [], archive: null }
  const rows = (await on.queries.hasUid(account.uid)) ? [] : [accountUids.insert({ uid: account.uid })]
  const { steps, archive } = endOf(on, account.username, deletion.files, now)
  if (!(await on.tools.sudo.isOn(account.username))) return { steps, rows, archive }
  const { uid } = account
  return {
    steps: [step(on.tools.sudo.steps.set, { username: account.username, uid, isOn: false }), ...steps],
    rows,
    archive,
  }
}

function endOf(
  on: Users,
  username: string,
  files: FilesOfDeleted,
  now: Date,
): Pick<AccountEnd, 'steps' | 'archive'> {
  const { lock, remove, archiveHome } = on.tools.accounts.steps
  if (files === 'keep') return { steps: [step(lock, { username })], archive: null }
  const removal = step(remove, { username })
  if (files === 'remove') return { steps: [removal], archive: null }
  if (on.archives === undefined) throw Unavailable('files: this panel has no data directory for archives')
  const archive = `${on.archives}/${username}-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.tar.gz`
  return { steps: [step(archiveHome, { username, path: archive }), removal], archive }
}

function deletionOf(
  { user, files }: Deletion,
  parts: readonly Belongings[],
  { steps, rows, archive }: AccountEnd,
): Change<{ success: true; archive: string | null }> {
  return change({
    summary: `Delete user ${user.email}${steps.length === 0 ? '' : outcomes[files]}`,
    details: parts.flatMap(({ details = [] }) => details),
    locks: [
      superusersLock,
      userLock(user.email),
      ...(user.username === null ? [] : [accountLock(user.username)]),
      ...parts.flatMap(({ locks = [] }) => locks),
    ],
    steps: [...parts.flatMap((part) => part.steps ?? []), ...steps],
    rows: [...parts.flatMap((part) => part.rows ?? []), ...rows, users.delete({ id: user.id })],
    reply: { success: true, archive },
  })
}

const outcomes: Readonly<Record<FilesOfDeleted, string>> = {
  keep: '; the Linux account is locked and its files stay',
  archive: '; the Linux account is removed and its files are archived',
  remove: '; the Linux account and its files are removed',
}
