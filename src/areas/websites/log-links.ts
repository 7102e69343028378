import type { Account } from '../../host/accounts.ts'
import type { Host } from '../../host/index.ts'
import { ownerProblems } from '../../host/owner/index.ts'
import { accountInChange, type Users } from '../users/index.ts'

/** Returns the path of a site's logs in the home of its owner. */
export const logsOf = (domain: string) => `logs/${domain}`

interface LinkedSite {
  readonly username: string
  readonly domain: string
}

/** The symlinks in homes that point to the logs of sites. An account that no longer exists has none. */
export interface LogLinks {
  make(site: LinkedSite, target: string): Promise<void>
  /** True if the symlink exists and has this target. */
  exists(site: LinkedSite, target: string): Promise<boolean>
  /** Removes the symlink if it has this target; anything else is kept. */
  remove(site: LinkedSite, target: string): Promise<void>
}

/**
 * Opens the symlinks. All commands run as the owner, so that any symlink they follow is followed only with
 * the owner's permissions.
 */
export function logLinks(host: Pick<Host, 'run'>, users: Users): LogLinks {
  const pathOf = (account: Account, domain: string) => `${account.home}/${logsOf(domain)}`
  const run = (account: Account, argv: readonly [string, ...string[]]) =>
    host.run(argv, { as: account, timeoutMs: 5000 })
  const find = async ({ username, domain }: LinkedSite, target: string, ...action: readonly string[]) => {
    const account = await accountInChange(users, username)
    if (account === undefined) return { account, stdout: '', stderr: '' }
    const link = ['-maxdepth', '0', '-type', 'l', '-lname', target]
    return { account, ...(await run(account, ['find', pathOf(account, domain), ...link, ...action])) }
  }
  const exists: LogLinks['exists'] = async (site, target) =>
    (await find(site, target, '-print')).stdout !== ''
  return {
    exists,
    make: async ({ username, domain }, target) => {
      const account = await accountInChange(users, username)
      if (account === undefined) return
      const { code, stderr } = await run(account, [
        'ln',
        '--symbolic',
        '--no-target-directory',
        '--',
        target,
        pathOf(account, domain),
      ])
      if (code !== 0) throw ownerProblems.HelperFailed(`${logsOf(domain)}: ${stderr.trim()}`)
    },
    remove: async (site, target) => {
      const { stderr } = await find(site, target, '-delete')
      if (await exists(site, target))
        throw ownerProblems.HelperFailed(`${logsOf(site.domain)}: ${stderr.trim()}`)
    },
  }
}
