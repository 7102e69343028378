import type { Caller } from '../../core/caller.ts'
import { accountOf } from '../users/index.ts'
import type { Limits } from './context.ts'
import { type LimitsOfUsers, unlimited, type UserLimits } from './model.ts'
import type { LimitedUser } from './store.ts'

/** Returns the limits of a user: those of the package where there is one. */
export const effectiveLimits = (
  { package: name, own }: Pick<LimitedUser, 'package' | 'own'>,
  packages: ReadonlyMap<string, UserLimits>,
): UserLimits => (name === null ? own : packages.get(name)) ?? unlimited

/** Returns the limits and the usage of a user, or of all for a superuser. */
export async function readLimits(on: Limits, { user: caller }: Caller): Promise<LimitsOfUsers> {
  const { queries, slices, websites } = on
  const packages = await queries.packages()
  const [found, { reason }, counts] = await Promise.all([
    caller.isAdmin
      ? queries.users()
      : queries.user(caller.id).then((own) => (own === undefined ? [] : [own])),
    slices.detect(),
    websites.queries.countsByOwner(),
  ])
  const uids = new Map<number, number>()
  for (const { user_id, username } of found) {
    const account = await accountOf(on.users, username)
    if (account !== undefined) uids.set(user_id, account.uid)
  }
  const usage = await slices.usage([...uids.values()])
  return {
    reason,
    packages: caller.isAdmin
      ? [...packages].map(([name, limits]) => ({
          name,
          limits,
          users: found.filter((each) => each.package === name).length,
        }))
      : [],
    users: found.map((each) => {
      const limits = effectiveLimits(each, packages)
      const running = usage.get(uids.get(each.user_id) ?? -1)
      const used = {
        websites: counts.get(each.user_id) ?? 0,
        disk_bytes: each.bytes,
        measured_at: each.measured_at,
        memory_bytes: running?.memoryBytes ?? null,
        tasks: running?.tasks ?? null,
        cpu_seconds: running?.cpuSeconds ?? null,
      }
      const { user_id, username, package: name } = each
      return { user_id, username, package: name, limits, usage: used, exceeded: exceededOf(limits, used) }
    }),
  }
}

type Used = LimitsOfUsers['users'][number]['usage']

const mib = 1024 * 1024

function exceededOf({ websites, disk_mb }: UserLimits, used: Used): string[] {
  return [
    ...(websites !== null && used.websites > websites ? ['websites'] : []),
    ...(disk_mb !== null && (used.disk_bytes ?? 0) > disk_mb * mib ? ['disk_mb'] : []),
  ]
}
