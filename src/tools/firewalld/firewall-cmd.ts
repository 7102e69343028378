import { problem } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'
import { addElements6, elements6, policyName } from './policy.ts'

export const FirewalldFailed = problem('firewall_refused', 500, 'firewalld did not take the rules')

type Running = Pick<Host, 'run'>

const limits = { timeoutMs: 30_000, maxBytes: 4 * 1024 * 1024 }
const notRunning = 252

/** Runs firewall-cmd(1) and returns what it prints; throws its message. */
export async function firewallCmd({ run }: Running, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(['firewall-cmd', ...args], limits)
  if (code !== 0) throw FirewalldFailed(`firewall-cmd: ${(stderr || stdout).trim().slice(0, 2000)}`)
  return stdout
}

/** Returns whether firewalld runs. One that does not loads its files when it is started. */
export async function isRunning({ run }: Running): Promise<boolean> {
  const { code, stderr } = await run(['firewall-cmd', '--state'], limits)
  if (code === 0) return true
  if (code === notRunning || code === 127) return false
  throw FirewalldFailed(`firewall-cmd: ${stderr.trim().slice(0, 2000)}`)
}

/** Lists the loaded rules of the panel's policy; undefined where it is not loaded. */
export async function listLoaded(host: Running): Promise<readonly string[] | undefined> {
  const names = (await firewallCmd(host, ['--get-policies'])).trim().split(/\s+/)
  if (!names.includes(policyName)) return undefined
  return (await firewallCmd(host, [`--policy=${policyName}`, '--list-rich-rules']))
    .split('\n')
    .filter(Boolean)
}

const listings = [['--list-all-zones'], ['--list-all-policies'], ['--direct', '--get-all-rules']] as const

/** True if firewalld runs with rules that are not permanent: a reload loses them. */
export async function hasRuntimeRules(host: Running): Promise<boolean> {
  for (const listing of listings) {
    const live = await firewallCmd(host, listing)
    const permanent = await firewallCmd(host, ['--permanent', ...listing])
    if (rulesIn(live) !== rulesIn(permanent)) return true
  }
  return false
}

/** Without what a reload keeps: the states of zones and their interfaces. The policy of the panel is left out. */
function rulesIn(text: string): string {
  const blocks = text.trim().split(/\n\s*\n/)
  const others = blocks.filter((block) => block.split(/\s/)[0] !== policyName)
  const lines = others.flatMap((block) => block.split('\n'))
  return lines
    .filter((line) => !/^\s*interfaces:/.test(line))
    .map((line) => line.replace(/^(\S+) \([^)]*\)$/, '$1').trimEnd())
    .filter((line) => line !== '')
    .join('\n')
}

/** Returns whether the set of IPv6 addresses has its elements; undefined where there is no set. */
export async function hasElements6({ run }: Running): Promise<boolean | undefined> {
  const { code, stdout } = await run(['nft', 'list', 'set', 'inet', 'firewalld', 'hostreeve6'], limits)
  if (code !== 0) return undefined
  return (elements6.match(/\S+::\/1/g) ?? []).every((prefix) => stdout.includes(` ${prefix} `))
}

/** Adds the elements of the set of IPv6 addresses where a reload of firewalld has lost them. */
export async function fillSet6(host: Running): Promise<void> {
  if ((await hasElements6(host)) !== false) return
  const { code, stderr } = await host.run(addElements6, limits)
  if (code !== 0) throw FirewalldFailed(`nft: ${stderr.trim().slice(0, 2000)}`)
}
