import { hostWord } from '../nginx/quote.ts'

const plain = /^[A-Za-z0-9_./:@%+,=*-]+$/

/**
 * Quotes a value as one word of Apache. Within quotes, a backslash protects a quote and a backslash alone
 * (`ap_getword_conf`). Nothing protects `${NAME}`, which is replaced before a line is read: such a value is a bug of the caller.
 */
export function quoted(value: string): string {
  return plain.test(value)
    ? value
    : `"${representable(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

function representable(value: string): string {
  if (value === '' || /\p{Cc}|\$\{/u.test(value))
    throw new Error(`Apache cannot represent this value: ${JSON.stringify(value)}`)
  return value
}

/**
 * Returns the pattern of a rewrite that matches this text and nothing else. The arguments of rewrites are read in a way of their
 * own (`parseargline` of mod_rewrite.c): nothing protects a quote, and a backslash stays as it is.
 */
export const exactly = (text: string): string =>
  `"^${representable(escaped(text)).replaceAll('"', '\\x22')}$"`

/** Returns text for a regular expression that matches this text alone. */
const escaped = (text: string): string => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&')

/** Quotes the target of a rewrite, in which `$` and `%` would name groups and variables. A quote is sent as URLs have it. */
export function target(url: string): string {
  const text = representable(url.replaceAll('"', '%22').replaceAll(/[\\$%]/g, '\\$&'))
  return plain.test(text) ? text : `"${text}"`
}

/** Returns a name of `ServerAlias`: a host name, or `*.` before one. */
export const aliasWord = (name: string): string =>
  name.startsWith('*.') ? `*.${hostWord(name.slice(2))}` : hostWord(name)

/** Returns a whole number that a directive takes. */
export function count(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`not a whole number: ${value}`)
  return String(value)
}
