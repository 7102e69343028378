import { problem } from '../../core/problem.ts'

/** The file of MongoDB's packages: YAML, which people edit too. */
export const configurationPath = '/etc/mongod.conf'

export const SetUpRefused = problem(
  'install_failed',
  500,
  'The document database server could not be set up for the panel',
)

const defaultPort = 27017

/** The TCP port on which the server listens. */
export function portIn(text: string): number {
  const port = Number(settingIn(text, 'net', 'port') ?? defaultPort)
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : defaultPort
}

/** True if the server asks clients to sign in. */
export const asksForSignIn = (text: string): boolean =>
  settingIn(text, 'security', 'authorization') === 'enabled'

/** Returns the text with the setting that makes the server ask for a sign-in; all other lines keep their bytes. */
export function withSignIn(text: string): string {
  const lines = text.split('\n')
  const section = lines.findIndex((line) => /^security[ \t]*:/.test(line))
  if (section < 0)
    return `${text.replace(/\n*$/, '')}\n\n# added by Hostreeve\nsecurity:\n  authorization: enabled\n`
  if (!/^security[ \t]*:[ \t]*(?:#.*)?$/.test(lines[section] ?? ''))
    throw SetUpRefused(`${configurationPath}: write each setting of security on a line of its own`)
  const below = linesBelow(lines, section)
  const at = below.find((index) => /^\s+authorization[ \t]*:/.test(lines[index] ?? ''))
  const indent = /^\s+/.exec(lines[at ?? below[0] ?? -1] ?? '')?.[0] ?? '  '
  const line = `${indent}authorization: enabled`
  return lines.toSpliced(at ?? section + 1, at === undefined ? 0 : 1, line).join('\n')
}

function settingIn(text: string, section: string, name: string): string | undefined {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => new RegExp(`^${section}[ \\t]*:`).test(line))
  if (at < 0) return undefined
  const wanted = new RegExp(`^\\s+${name}[ \\t]*:[ \\t]*(["']?)([^"'#]*?)\\1[ \\t]*(?:#.*)?$`)
  for (const index of linesBelow(lines, at)) {
    const found = wanted.exec(lines[index] ?? '')
    if (found !== null) return found[2]
  }
  return undefined
}

/** The indices of the lines of a section that are settings. */
function linesBelow(lines: readonly string[], section: number): readonly number[] {
  const found: number[] = []
  for (let index = section + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if (/^\s*(?:#|$)/.test(line)) continue
    if (!/^\s/.test(line)) break
    found.push(index)
  }
  return found
}
