import { ownTable } from './rule.ts'

export type RuleOwner = 'docker' | 'fail2ban' | 'ufw' | 'firewalld' | 'manual'

/** A chain of another owner. */
export interface ForeignChain {
  readonly owner: RuleOwner
  readonly family: string
  readonly table: string
  readonly chain: string
  /** The rules as nft(8) prints them. */
  readonly rules: readonly string[]
}

/** What a rule has matched. */
export interface Counter {
  readonly packets: number
  readonly bytes: number
}

/** All tables of the kernel. */
export interface Listing {
  /** Counters of the panel's table, by the comment of the rule. */
  readonly counters: ReadonlyMap<string, Counter>
  readonly foreign: readonly ForeignChain[]
}

/** Reads what `nft list ruleset` prints. */
export function parseListing(text: string): Listing {
  const chains = chainsIn(text)
  return {
    counters: countersIn(chains.filter(({ table }) => table === ownTable).flatMap(({ rules }) => rules)),
    foreign: chains
      .filter(({ table, rules }) => !table.startsWith(ownTable) && rules.length > 0)
      .map((chain) => ({ owner: ownerOf(chain), ...chain })),
  }
}

/** Returns the counters of rules with comments. */
export function countersIn(lines: readonly string[]): ReadonlyMap<string, Counter> {
  return new Map(
    lines.flatMap((line) => {
      const [, packets, bytes, comment] =
        /counter packets (\d+) bytes (\d+).* comment "([^"]*)"$/.exec(line) ?? []
      if (comment === undefined) return []
      return [[comment, { packets: Number(packets), bytes: Number(bytes) }] as const]
    }),
  )
}

type Chain = Omit<ForeignChain, 'owner'>

function chainsIn(text: string): readonly Chain[] {
  const chains: (Chain & { rules: string[] })[] = []
  let [family, table, isChain] = ['', '', false]
  for (const line of text.split('\n')) {
    const opened = /^table (\S+) (\S+) \{/.exec(line)
    const chain = /^\tchain (\S+) \{/.exec(line)
    if (opened) [, family = '', table = ''] = opened
    if (chain) chains.push({ family, table, chain: chain[1] ?? '', rules: [] })
    if (/^\t\S/.test(line)) isChain = chain !== null
    if (isChain && line.startsWith('\t\t') && !/^\t\ttype \S+ hook /.test(line))
      chains.at(-1)?.rules.push(line.trim())
  }
  return chains
}

/** Names of tables and chains by which the programs are known. */
const marks: readonly (readonly [RuleOwner, RegExp])[] = [
  ['fail2ban', /\bf2b-|fail2ban/i],
  ['ufw', /\bufw6?-/],
  ['firewalld', /^firewalld /],
  ['docker', /\bdocker/i],
]

function ownerOf({ table, chain, rules }: Chain): RuleOwner {
  const names = `${table} ${chain}`
  const jumps = rules.filter((rule) => /\b(?:jump|goto) /.test(rule)).join(' ')
  const found = marks.find(([, mark]) => mark.test(names)) ?? marks.find(([, mark]) => mark.test(jumps))
  return found?.[0] ?? 'manual'
}
