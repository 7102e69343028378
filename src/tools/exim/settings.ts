import { BadRequest, Conflict } from '../../core/problem.ts'
import type { Grammar } from '../../host/apply/steps.ts'
import { configPath } from './layout.ts'

interface RelayEdit {
  /** `host::port`; empty to deliver without a relay. */
  readonly route: string
}

const typeKey = 'dc_eximconfig_configtype'
const routeKey = 'dc_smarthost'
/**
 * The macro by which Debian's transport speaks TLS from the first byte. update-exim4.conf passes on lines that begin with a
 * capital letter as macros, without quotes, for a split configuration too; one in a file of macros wins.
 */
const protocolKey = 'REMOTE_SMTP_SMARTHOST_PROTOCOL'
const keys = [typeKey, routeKey, protocolKey] as const
type Key = (typeof keys)[number]
/** A line that an earlier version of the panel did not know is absent. */
type Lines = Readonly<Partial<Record<Key, string | null>>>

/** The port of mail submission with TLS from the first byte (RFC 8314, section 3.3). */
const isTlsPort = (route: string): boolean => route.endsWith('::465')

/** The relay in `update-exim4.conf.conf`, a shell script of assignments, of which the last one of a name applies. */
export const settings: Grammar<RelayEdit, Lines> = {
  edit: (text, { route }) => {
    // the file is run by a shell, as root
    if (!/^[A-Za-z0-9.:-]*$/.test(route)) throw BadRequest(`smart_route: ${route} is not host::port`)
    const { type, route: former } = readSettings(text)
    // a satellite sends through a relay too, and delivers nothing locally
    const wanted = route === '' ? 'internet' : type === 'satellite' ? type : 'smarthost'
    return withProtocol(withValue(withValue(text, typeKey, wanted), routeKey, route), { former, route })
  },
  part: (text) => {
    const lines = keys.flatMap((key) => find(text, key).line ?? [])
    return lines.length === 0 ? null : lines.map((line) => `${withoutEnd(line)}\n`).join('\n')
  },
  keep: (text) => Object.fromEntries(keys.map((key) => [key, lineOf(text, key)])),
  takeBack: (text, _edit, { kept }) =>
    keys.toReversed().reduce((rest, key) => {
      const line = kept[key]
      return line === undefined ? rest : withLine(rest, key, line)
    }, text),
  mask: (text) => text,
}

/** Reads the type of the configuration and the relay; a value that only a shell can tell is shown as written. */
export function readSettings(text: string): { readonly type: string; readonly route: string } {
  const read = (key: Key) => {
    const { line = '' } = find(text, key)
    return literalOf(line) ?? withoutEnd(line).replace(/^[^=]*=/, '')
  }
  return { type: read(typeKey), route: read(routeKey) }
}

/** What people set for a relay on another port stays. */
function withProtocol(text: string, { former, route }: Record<'former' | 'route', string>): string {
  if (!isTlsPort(route) && !isTlsPort(former)) return text
  const line = lineOf(text, protocolKey)
  const wanted = `${protocolKey}=${isTlsPort(route) ? 'smtps' : 'smtp'}`
  const isThere = line === wanted || (line === null && !isTlsPort(route))
  return isThere ? text : withLine(text, protocolKey, wanted)
}

function withValue(text: string, key: Key, value: string): string {
  const { line } = find(text, key)
  if (line === undefined) return withLine(text, key, `${key}='${value}'`)
  const current = literalOf(line)
  if (current === undefined)
    throw Conflict(`${configPath}: "${withoutEnd(line)}" is not a plain value: change it in the file`)
  const exported = /^\s*export\s/.test(line) ? 'export ' : ''
  return current === value ? text : withLine(text, key, `${exported}${key}='${value}'`)
}

/** Replaces the line of a name, adds it at the end, or removes it. */
function withLine(text: string, key: Key, wanted: string | null): string {
  const { lines, at, line } = find(text, key)
  if (line !== undefined && wanted !== null) return lines.with(at, wanted + endOf(line)).join('')
  if (line === undefined)
    return wanted === null ? text : isWhole(text) ? `${text}${wanted}\n` : `${text}\n${wanted}`
  const rest = lines.toSpliced(at, 1).join('')
  return endOf(line) === '' ? withoutEnd(rest) : rest
}

/** Finds the last line that may assign to a name, such as after `export`, or in the midst of other commands. */
function find(text: string, key: Key) {
  const lines = text.split(/(?<=\n)/)
  const assignment = new RegExp(`^(?:[^#]*[\\s;&|({])?${key}=`)
  const at = lines.findLastIndex((line) => assignment.test(line))
  return { lines, at, line: lines[at] }
}

/** The value of an assignment that is the same in every shell; undefined if the shell would have to run it. */
function literalOf(line: string): string | undefined {
  const found =
    /^\s*(?:export\s+)?\w+=(?:'([^']*)'|"([^"$`\\]*)"|([^\s'"$`\\;&|<>()#*?[\]~]*))\s*(?:#.*)?$/.exec(
      withoutEnd(line),
    )
  return found === null ? undefined : (found[1] ?? found[2] ?? found[3])
}

const lineOf = (text: string, key: Key) => {
  const { line } = find(text, key)
  return line === undefined ? null : withoutEnd(line)
}
const isWhole = (text: string) => text === '' || text.endsWith('\n')
const endOf = (line: string) => /\r?\n$/.exec(line)?.[0] ?? ''
const withoutEnd = (text: string) => text.replace(/\r?\n$/, '')
