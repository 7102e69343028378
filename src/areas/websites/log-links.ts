import { problem } from '../../core/problem.ts'
import type { Account } from '../../host/accounts.ts'
import type { Host } from '../../host/index.ts'
import type { Users } from '../users/index.ts'

export const LinkFailed = problem('folder_failed', 500, 'The logs of the website could not be linked')

/** Where the home of an owner has the logs of a site. */
export const logsOf = (domain: string) => `logs/${domain}`

interface Whose {
  readonly username: string
  readonly domain: string
}

/** The links in homes that lead to the logs of sites. Where the account is gone there are none. */
export interface LogLinks {
  make(whose: Whose, target: string): Promise<void>
  /** Whether the link is there and leads to this target. */
  isThere(whose: Whose, target: string): Promise<boolean>
  /** Removes the link if it leads to this target; anything else stays. */
  remove(whose: Whose, target: string): Promise<void>
}

/** Opens the links. All commands run as the owner, so that whatever they meet is followed with the owner's rights alone. */
export function logLinks(host: Pick<Host, 'run'>, users: Users): LogLinks {
  const pathOf = (account: Account, domain: string) => `${account.home}/${logsOf(domain)}`
  const run = (account: Account, argv: readonly [string, ...string[]]) =>
    host.run(argv, { as: account, timeoutMs: 5000 })
  const find = async ({ username, domain }: Whose, target: string, ...action: readonly string[]) => {
    const account = await users.accountOf(username)
    if (account === undefined) return { account, stdout: '', stderr: '' }
    const link = ['-maxdepth', '0', '-type', 'l', '-lname', target]
    return { account, ...(await run(account, ['find', pathOf(account, domain), ...link, ...action])) }
  }
  const isThere: LogLinks['isThere'] = async (whose, target) =>
    (await find(whose, target, '-print')).stdout !== ''
  return {
    isThere,
    make: async ({ username, domain }, target) => {
      const account = await users.accountOf(username)
      if (account === undefined) return
      const { code, stderr } = await run(account, [
        'ln',
        '--symbolic',
        '--no-target-directory',
        '--',
        target,
        pathOf(account, domain),
      ])
      if (code !== 0) throw LinkFailed(`${logsOf(domain)}: ${stderr.trim()}`)
    },
    remove: async (whose, target) => {
      const { stderr } = await find(whose, target, '-delete')
      if (await isThere(whose, target)) throw LinkFailed(`${logsOf(whose.domain)}: ${stderr.trim()}`)
    },
  }
}
