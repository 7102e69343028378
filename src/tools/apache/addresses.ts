import { isIP } from 'node:net'
import type { ListenAddress } from '../listen-addresses.ts'

/** Takes the paths out of the list that `apache2ctl -t -D DUMP_INCLUDES` prints. */
export const includedIn = (list: string): readonly string[] =>
  list.split('\n').flatMap((line) => /^\s*\((?:\*|\d+)\) (\/.*)$/.exec(line)?.[1] ?? [])

/**
 * Finds the addresses of `Listen` in the texts of a configuration. Those under a condition count where it is about a module that the
 * texts load, or do not load; what other conditions contain is left to the start.
 */
export function addressesIn(texts: readonly string[]): readonly ListenAddress[] {
  const lines = texts.flatMap((text) => [...joined(text).split('\n'), endOfFile])
  const modules = new Set(lines.flatMap((line) => /^\s*LoadModule\s+(\w+)\s/i.exec(line)?.[1] ?? []))
  const conditions: boolean[] = []
  const found: ListenAddress[] = []
  for (const line of lines) {
    const [, kind, argument = ''] = /^\s*<(If\w+)\s+(.+?)\s*>/i.exec(line) ?? []
    if (kind !== undefined) conditions.push(isMet(kind, argument, modules))
    else if (line === endOfFile) conditions.length = 0
    else if (/^\s*<\/If/i.test(line)) conditions.pop()
    const [, value] = /^\s*Listen\s+(\S+)/i.exec(line) ?? []
    const address = value === undefined ? undefined : addressOf(value)
    if (address !== undefined && conditions.every(Boolean)) found.push(address)
  }
  return found
}

const endOfFile = '\u0000'

/** A line that ends with a backslash goes on in the next one. */
const joined = (text: string): string => text.replaceAll(/\\\r?\n/g, ' ')

function isMet(kind: string, argument: string, modules: ReadonlySet<string>): boolean {
  if (kind.toLowerCase() !== 'ifmodule') return false
  const [, not, name = ''] = /^"?(!?)"?([\w.]+)/.exec(argument) ?? []
  const module = name.replace(/^mod_(\w+)\.c$/, '$1_module')
  return modules.has(module) !== (not === '!')
}

/** `80`, `192.0.2.1:80`, `[2001:db8::1]:80`, `*:80`; undefined for what is none of them, such as a name. */
function addressOf(value: string): ListenAddress | undefined {
  const [, plain, bracketed, port = ''] =
    /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(value.replaceAll('"', '')) ?? []
  const host = plain ?? bracketed
  if (port === '' || Number(port) < 1 || Number(port) > 65_535) return undefined
  if (host === undefined || host === '*') return { port: Number(port) }
  return isIP(host) === 0 ? undefined : { host, port: Number(port) }
}
