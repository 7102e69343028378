import { bare, type Config } from './config.ts'
import { backendNamed, refuseTakenBackend } from './edit-backends.ts'
import { inheritedParams } from './proxies.ts'
import { appendSection } from './sections.ts'
import { copyServer, serverName } from './server-line.ts'
import { encodeToken, firstToken, readTokens } from './tokens.ts'

/**
 * Copies a backend; the copies of its servers are named `<name>_<n>`, counting from 1, and all get the given
 * port.
 */
export function duplicateBackend(
  config: Config,
  source: string,
  { name, port }: { readonly name: string; readonly port: number },
): Config {
  const section = backendNamed(config, source)
  refuseTakenBackend(config, name)
  const names = new Map<string, string>()
  for (const at of section.statements.get('server') ?? []) {
    const server = serverName(config.lines[at]!)
    if (server !== undefined) names.set(server, `${name}_${names.size + 1}`)
  }
  const lines = config.lines.slice(section.start + 1, section.ownEnd).flatMap((line, index) => {
    const copy = (renamed: string) =>
      copyServer(bare(line), {
        name: renamed,
        port,
        inherited: inheritedParams(config, section, section.start + 1 + index),
      })
    return copyLine(bare(line), names, copy)
  })
  return appendSection(config, [copyHeader(bare(config.lines[section.start]!), name), ...lines])
}

/** A `listen` section is copied as a plain backend: two sections cannot bind the same address. */
function copyHeader(line: string, name: string): string {
  const tokens = readTokens(line)
  return `backend ${encodeToken(name)}${tokens
    .slice(2)
    .map(({ raw }) => ` ${raw}`)
    .join('')}`
}

const notCopied = new Set(['id', 'guid', 'bind', 'maxconn', 'default_backend', 'use_backend', 'monitor-uri'])

function copyLine(
  line: string,
  names: ReadonlyMap<string, string>,
  copy: (renamed: string) => string,
): readonly string[] {
  const keyword = firstToken(line)
  if (keyword !== undefined && notCopied.has(keyword)) return []
  if (keyword !== 'server' && keyword !== 'use-server') return [line]
  const tokens = readTokens(line)
  const renamed = names.get(tokens[1]?.text ?? '')
  if (renamed === undefined) return [line]
  if (keyword === 'server') return tokens.length > 2 ? [copy(renamed)] : [line]
  return [
    line.slice(0, tokens[1]!.start) +
      encodeToken(renamed) +
      line.slice(tokens[1]!.start + tokens[1]!.raw.length),
  ]
}
