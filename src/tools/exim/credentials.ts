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
 * another one for each alias (exim4-config_files(5)): the panel writes an entry for every name, which only
 * relays are sent.
 */
export const credentials = lookupFile<CredentialsEdit>({
  concerns: (key, { host, former, to }) =>
    to === null ? isFor(key, former) && (host === '' || isFor(key, host)) : isFor(key, host),
  entry: ({ to }) => {
    if (to === null) return null
    assertStorable(to)
    return { key: '*', value: `${to.username}:${to.password}` }
  },
  mask: (entry) =>
    entry.replace(/^("(?:[^"\\]|\\.)*"|[^\s:]+)([ \t]*:?\s*)([^:\n]*).*$/s, '$1$2$3:••••••••\n'),
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

/** Keys are names, or patterns of their ends; regular expressions of people are left to Exim. */
const isFor = (key: string, host: string): boolean =>
  key.startsWith('*') ? host !== '' && host.endsWith(key.slice(1)) : key === host

/** An entry is one line, whose first colon ends the name of the user. */
function assertStorable({ username, password }: Credentials): void {
  if (!/^[^\s:](?:[^\p{Cc}:]*[^\s:])?$/u.test(username))
    throw BadRequest('username: must be one line without a colon or spaces around it, as Exim stores it')
  if (!/^\S(?:\P{Cc}*\S)?$/u.test(password))
    throw BadRequest('password: must be one line without spaces around it, as Exim stores it')
}
