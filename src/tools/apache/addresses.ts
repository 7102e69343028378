import { isAddress } from '../../host/fetch/index.ts'
import type { ListenAddress } from '../listen-addresses.ts'

/** Takes the paths out of the list that `apache2ctl -t -D DUMP_INCLUDES` prints. */
export const includedIn = (list: string): readonly string[] =>
  list.split('\n').flatMap((line) => /^\s*\((?:\*|\d+)\) (\/.*)$/.exec(line)?.[1] ?? [])

/** Those that Debian's Apache has without loading them. */
const builtIn = ['core', 'so', 'watchdog', 'http', 'log_config', 'logio', 'version', 'unixd']

/**
 * Finds the addresses of `Listen` in the texts of a configuration, in the order in which Apache reads them. Those under a condition count
 * where it is about a module that was loaded before, or was not; what other conditions contain is left to the start.
 */
export function addressesIn(texts: readonly string[]): readonly ListenAddress[] {
  const modules = new Set(builtIn.map((name) => `${name}_module`))
  const found: ListenAddress[] = []
  for (const text of texts) {
    const conditions: boolean[] = []
    for (const line of joined(text).split('\n')) {
      const [, kind, argument = ''] = /^\s*<(If\w+)\s+(.+?)\s*>/i.exec(line) ?? []
      if (kind !== undefined) conditions.push(isMet(kind, argument, modules))
      if (/^\s*<\/If/i.test(line)) conditions.pop()
      if (!conditions.every(Boolean)) continue
      const [, module] = /^\s*LoadModule\s+(\w+)\s/i.exec(line) ?? []
      if (module !== undefined) modules.add(module)
      const address = addressOf(/^\s*Listen\s+(\S+)/i.exec(line)?.[1] ?? '')
      if (address !== undefined) found.push(address)
    }
  }
  return found
}

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
  return !isAddress(host) ? undefined : { host, port: Number(port) }
}
