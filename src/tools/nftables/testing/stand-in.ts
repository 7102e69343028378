import { readFileSync } from 'node:fs'
import type { Script } from '../../../host/testing/scripted-run.ts'

/** The tables of a stand-in kernel, and the elements of their sets with their timeouts. */
export interface StandInKernel {
  readonly tables: Map<string, string>
  readonly elements: Map<string, string>
  /** Further output of `nft list ruleset`. */
  foreign: string
  /** Why it takes no text; empty if it does. */
  refusal: string
}

/** Makes a kernel without tables. */
export const standInKernel = (): StandInKernel => ({
  tables: new Map(),
  elements: new Map(),
  foreign: '',
  refusal: '',
})

/** Answers the commands of nft(8) that the panel uses. */
export function scriptNft(kernel: StandInKernel): Script {
  return (argv, { input = '' }) => {
    const [program, ...args] = argv
    if (program === 'sshd' && args[0] === '-T') return { stdout: 'port 22\naddressfamily any\n' }
    if (program !== 'nft') return undefined
    if (args[0] === '--version') return { stdout: 'nftables v1.0.6 (Lester Gooch #5)\n' }
    if (args[0] === '-f') return load(kernel, args[1] === '-' ? String(input) : readText(args[1] ?? ''))
    if (args[0] === '-c') return kernel.refusal === '' ? {} : { code: 1, stderr: kernel.refusal }
    if (args[0] === '--terse')
      return {
        stdout: `${kernel.foreign}${[...kernel.tables.keys()].map((name) => listed(kernel, name)).join('')}`,
      }
    if (args[0] === 'list') {
      const name = args[3] ?? ''
      if (!kernel.tables.has(name)) return { code: 1, stderr: 'Error: No such file or directory' }
      return { stdout: listed(kernel, name) }
    }
    return load(kernel, args.join(' ').replaceAll('; ', '\n'))
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function load({ tables, elements }: StandInKernel, text: string | undefined) {
  if (text === undefined) return { code: 1, stderr: 'Error: Could not open file: No such file' }
  for (const [, name = '', body = ''] of text.matchAll(/^table inet (\S+) \{\n(.*?)^\}/gms))
    tables.set(name, body)
  if (/^delete table/m.test(text) && !/^table/m.test(text)) tables.delete('hostreeve')
  for (const [, verb, element = '', timeout = ''] of text.matchAll(
    /^(add|delete) element \S+ \S+ \S+ \{ (\S+)(.*) \}$/gm,
  ))
    if (verb === 'add') elements.set(element, timeout)
    else elements.delete(element)
  return {}
}

function listed({ tables, elements }: StandInKernel, name: string): string {
  const body = (tables.get(name) ?? '').replaceAll(
    / counter( packets \d+ bytes \d+)?/g,
    ' counter packets 3 bytes 180',
  )
  const all = [...elements].map(([element, timeout]) => `${element}${timeout}`).join(', ')
  const sets = name === 'hostreeve_bans' && all !== '' ? `\tset all {\n\t\telements = { ${all} }\n\t}\n` : ''
  return `table inet ${name} {\n${sets}${body}}\n`
}
