import { BadRequest } from '../../core/problem.ts'
import { findValue, lookupFile } from './lookup-file.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
}

interface CredentialsEdit {
  /** The relay to sign in to; empty without one. */
  readonly host: string
  /** The relay until now. */
  readonly former: string
  /** Null removes those that the former relay was sent and the new one would be. */
  readonly to: Credentials | null
}

/**
 * The sign-in to the relay in `passwd.client`. Exim looks up the canonical name of the relay there, which is
 * another one for each alias (exim4-config_files(5)): where no entry is for the relay, the panel adds one for every
 * name as the last one, which only relays are sent.
 */
export const credentials = lookupFile<CredentialsEdit>({
  concerns: (key, { host, former, to }) =>
    to === null ? isFor(key, former) && (host === '' || isFor(key, host)) : isFor(key, host),
  entry: ({ to }) => {
    if (to === null) return null
    assertStorable(to)
    return { key: '*', value: `${to.username}:${to.password}` }
  },
  mask: maskLine,
})

/** Returns the credentials that Exim sends to a relay; undefined if it sends none. */
export function readCredentials(text: string, host: string): Credentials | undefined {
  const value = findValue(text, (key) => isFor(key, host))
  if (value === undefined) return undefined
  const at = value.indexOf(':')
  return at === -1
    ? { username: value, password: '' }
    : { username: value.slice(0, at), password: value.slice(at + 1) }
}

/** Returns the host of `host::port`, or of the first item of a list; empty without one. */
export const hostOf = (route: string): string => (/^[^:;\s]*/.exec(route.trim())?.[0] ?? '').toLowerCase()

/** Keys are names, ends of names after an asterisk, or regular expressions (nwildlsearch, chapter 9 of Exim's specification). */
function isFor(key: string, host: string): boolean {
  if (host === '') return false
  if (key.startsWith('^')) return patternOf(key)?.test(host) ?? false
  return key.startsWith('*') ? host.endsWith(key.slice(1)) : key === host
}

/** Undefined where only PCRE knows what the pattern means. */
function patternOf(key: string): RegExp | undefined {
  try {
    return key.startsWith('^(?-i)') ? new RegExp(`^${key.slice(6)}`) : new RegExp(key, 'i')
  } catch {
    return undefined
  }
}

/** People keep former passwords in comments too: of other lines only that they are there is shown. */
function maskLine(line: string): string {
  if (line.trim() === '') return line
  const end = line.endsWith('\n') ? '\n' : ''
  const [, entry] = /^((?:"(?:[^"\\]|\\.)*"|[^\s:#"][^\s:]*)[ \t]*:\s*[^:\n]*):/.exec(line) ?? []
  return `${entry === undefined ? '' : `${entry}:`}••••••••${end}`
}

/** An entry is one line, whose first colon ends the name of the user. */
function assertStorable({ username, password }: Credentials): void {
  if (!/^[^\s:](?:[^\p{Cc}:]*[^\s:])?$/u.test(username))
    throw BadRequest('username: must be one line without a colon or spaces around it, as Exim stores it')
  if (!/^\S(?:\P{Cc}*\S)?$/u.test(password))
    throw BadRequest('password: must be one line without spaces around it, as Exim stores it')
}
