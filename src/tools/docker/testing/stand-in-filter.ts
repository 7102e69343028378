import type { Script } from '../../../host/testing/scripted-run.ts'

/** The chains of the filter tables of a kernel, with their rules as iptables prints them. */
export interface StandInFilter {
  readonly ipv4: Map<string, readonly string[]>
  readonly ipv6: Map<string, readonly string[]>
}

/** Makes the tables of a host on which Docker Engine runs. */
export const standInFilter = (): StandInFilter => ({
  ipv4: new Map([
    ['INPUT', []],
    ['FORWARD', ['-A FORWARD -j DOCKER-USER']],
    ['DOCKER-USER', ['-A DOCKER-USER -j RETURN']],
  ]),
  ipv6: new Map([
    ['INPUT', []],
    ['FORWARD', []],
  ]),
})

const builtIn = new Set(['INPUT', 'FORWARD'])

/** Answers the commands of iptables that the panel uses. */
export function scriptIptables(filter: StandInFilter): Script {
  return ([program = ''], { input = '' }) => {
    const [, six, restore] = /^ip(6?)tables(-restore)?$/.exec(program) ?? []
    if (six === undefined) return undefined
    const table = six === '6' ? filter.ipv6 : filter.ipv4
    if (restore !== undefined) return restored(table, String(input))
    const heads = [...table.keys()].map((chain) =>
      builtIn.has(chain) ? `-P ${chain} ACCEPT` : `-N ${chain}`,
    )
    return { stdout: [...heads, ...[...table.values()].flat(), ''].join('\n') }
  }
}

function restored(table: StandInFilter['ipv4'], input: string) {
  for (const line of input.split('\n')) {
    const [, emptied] = /^:(\S+) /.exec(line) ?? []
    if (emptied !== undefined) table.set(emptied, [])
    const [, verb, chain = '', rest = ''] = /^-(A|I) (\S+) (?:1 )?(.*)$/.exec(line) ?? []
    if (verb === undefined) continue
    const rules = table.get(chain)
    if (rules === undefined) return { code: 2, stderr: `iptables-restore: no chain ${chain}` }
    const rule = `-A ${chain} ${rest}`
    table.set(chain, verb === 'A' ? [...rules, rule] : [rule, ...rules])
  }
  return {}
}
