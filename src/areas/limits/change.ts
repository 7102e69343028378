import { type Change, change, type Step, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import { success } from '../../core/reply.ts'
import { isSame } from '../../core/steps.ts'
import { accountOf, type Belongings, type Deletion } from '../users/index.ts'
import type { Limits } from './context.ts'
import { type LimitsEdit, unlimited, type UserLimits } from './model.ts'
import { LimitsInvalid, PackageInUse } from './problems.ts'
import { effectiveLimits } from './read.ts'
import { type LimitedUser, limitPackages, userLimits } from './store.ts'

const limitsLock = singleLock('limits')

/** Replaces the packages, and gives users a package or limits of their own. */
export async function changeLimits(on: Limits, edit: LimitsEdit): Promise<Change<{ success: true }>> {
  const [packages, found] = await Promise.all([on.queries.packages(), on.queries.users()])
  const next = edit.packages === undefined ? packages : packagesOf(edit.packages)
  const wanted = wantedUsers(found, edit.users ?? [])
  for (const { package: name, username } of wanted.values())
    if (name !== null && !next.has(name))
      throw packages.has(name)
        ? PackageInUse(`packages: ${username} has the package ${name}: give all its users another one first`)
        : LimitsInvalid(`users: there is no package ${name}`)
  return change({
    summary: 'Set the limits of hosting users',
    locks: [limitsLock],
    steps: await sliceSteps(on, { found, packages, wanted, next }),
    rows: [
      ...(edit.users ?? []).map(({ user_id }) => userLimits.delete({ user_id })),
      ...(edit.packages === undefined
        ? []
        : [
            ...[...packages.keys()]
              .filter((name) => !next.has(name))
              .map((name) => limitPackages.delete({ name })),
            ...[...next].map(([name, limits]) =>
              packages.has(name)
                ? limitPackages.update(limitPackages.row({ name, limits: packages.get(name)! }), { limits })
                : limitPackages.insert(limitPackages.row({ name, limits })),
            ),
          ]),
      ...(edit.users ?? []).map(({ user_id }) => {
        const { package: name, own } = wanted.get(user_id)!
        return userLimits.insert(userLimits.row({ user_id, package: name, limits: own ?? unlimited }))
      }),
    ],
    reply: success,
  })
}

function packagesOf(drafts: NonNullable<LimitsEdit['packages']>): ReadonlyMap<string, UserLimits> {
  const found = new Map(drafts.map(({ name, limits }) => [name, { ...unlimited, ...limits }]))
  if (found.size < drafts.length) throw LimitsInvalid('packages: two packages have the same name')
  return found
}

/** Returns all hosting users by id, with the limits that they have afterwards. */
function wantedUsers(
  found: readonly LimitedUser[],
  edits: NonNullable<LimitsEdit['users']>,
): ReadonlyMap<number, LimitedUser> {
  const users = new Map(found.map((user) => [user.user_id, user]))
  const seen = new Set<number>()
  for (const { user_id, package: name = null, limits } of edits) {
    const user = users.get(user_id)
    if (user === undefined) throw LimitsInvalid(`users: ${user_id} is not a hosting user`)
    if (seen.has(user_id)) throw LimitsInvalid(`users: ${user_id} occurs twice`)
    if (name !== null && limits !== undefined)
      throw LimitsInvalid(`users: give ${user.username} a package or limits of its own`)
    seen.add(user_id)
    users.set(user_id, { ...user, package: name, own: { ...unlimited, ...limits } })
  }
  return users
}

interface Changing {
  readonly found: readonly LimitedUser[]
  readonly packages: ReadonlyMap<string, UserLimits>
  readonly wanted: ReadonlyMap<number, LimitedUser>
  readonly next: ReadonlyMap<string, UserLimits>
}

async function sliceSteps(on: Limits, { found, packages, wanted, next }: Changing): Promise<readonly Step[]> {
  if (!(await on.slices.exist())) return []
  const steps: Step[] = []
  for (const user of found) {
    const [was, is] = [
      sliceLimits(effectiveLimits(user, packages)),
      sliceLimits(effectiveLimits(wanted.get(user.user_id)!, next)),
    ]
    const account = isSame(was, is) ? undefined : await accountOf(on.users, user.username)
    if (account !== undefined) steps.push(step(on.slices.steps.setSlice, { uid: account.uid, ...is }))
  }
  return steps
}

const sliceLimits = ({ cpu_percent, memory_mb, tasks }: UserLimits) => ({
  cpuPercent: cpu_percent,
  memoryMb: memory_mb,
  tasks,
})

/** The limits of a deleted user go, so that a later account with the uid has none. */
export async function limitsOfDeleted(on: Limits, { user }: Deletion): Promise<Belongings> {
  const found = await on.queries.user(user.id)
  if (found === undefined || (found.own === null && found.package === null)) return {}
  const account = await accountOf(on.users, found.username)
  const isLimited = account !== undefined && (await on.slices.exist())
  return {
    steps: isLimited ? [step(on.slices.steps.setSlice, { uid: account.uid, ...sliceLimits(unlimited) })] : [],
    rows: [userLimits.delete({ user_id: user.id })],
  }
}
