import { problem, Unavailable } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'
import type { RunResult } from '../../host/run.ts'

export const RulesRefused = problem('firewall_refused', 500, 'nftables did not take the rules')

const limits = { timeoutMs: 30_000, maxBytes: 16 * 1024 * 1024 }

/** Lists a table as nft prints it; undefined if there is none. */
export async function listTable({ run }: Pick<Host, 'run'>, table: string): Promise<string | undefined> {
  const result = await run(['nft', 'list', 'table', 'inet', table], limits)
  if (result.code !== 0 && result.stderr.includes('No such file')) return undefined
  return outputOf(result)
}

/** Lists all tables, without the elements of sets. */
export async function listRuleset({ run }: Pick<Host, 'run'>): Promise<string> {
  return outputOf(await run(['nft', '--terse', 'list', 'ruleset'], limits))
}

/** Has nft load a text, all of it or nothing. */
export async function loadText({ run }: Pick<Host, 'run'>, text: string): Promise<void> {
  outputOf(await run(['nft', '-f', '-'], { ...limits, input: text }))
}

/** Has nft check a text, which changes nothing. */
export async function checkText({ run }: Pick<Host, 'run'>, text: string): Promise<void> {
  outputOf(await run(['nft', '-c', '-f', '-'], { ...limits, input: text }))
}

function outputOf({ code, stdout, stderr, isCut }: RunResult): string {
  if (code === 127) throw Unavailable('nftables is not installed')
  if (code !== 0) throw RulesRefused(`nft: ${stderr.trim().slice(0, 2000)}`)
  if (isCut) throw RulesRefused('nft: it lists more rules than the panel reads')
  return stdout
}
