const plain = /^[A-Za-z0-9_./:@%+,=-]+$/
const domainName = /^(?=.{1,253}$)(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)*(?!-)[a-z0-9-]{1,63}(?<!-)$/

/**
 * Quotes a value as one nginx word. nginx cannot escape `$`, and none of our values may span lines: such a
 * value is a bug of the caller.
 */
export function quoted(value: string): string {
  if (plain.test(value)) return value
  if (value === '' || /[$\p{Cc}]/u.test(value))
    throw new Error(`nginx cannot represent this value: ${JSON.stringify(value)}`)
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** Returns a host name that nginx takes literally: no wildcard, no regular expression, no leading dot. */
export function hostWord(name: string): string {
  if (!domainName.test(name)) throw new Error(`not a host name in lower case: ${JSON.stringify(name)}`)
  return name
}

/** Returns a name of `server_name`: a host name, or `*.` before one. nginx prefers exact names, then the longest wildcard. */
export function serverName(name: string): string {
  return name.startsWith('*.') ? `*.${hostWord(name.slice(2))}` : hostWord(name)
}

/** Returns text for a regular expression in quotes that matches this text alone. Only characters of plain paths are possible. */
export function literal(value: string): string {
  if (!/^[A-Za-z0-9_./ @%+~-]*$/.test(value)) throw new Error(`not a plain path: ${JSON.stringify(value)}`)
  return value.replaceAll(/[.+]/g, (character) => `\\${character}`)
}

/** Returns the name of a directive. */
export function directiveName(name: string): string {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) throw new Error(`not a directive: ${JSON.stringify(name)}`)
  return name
}

/** Quotes a value of a directive in which nginx may replace variables. */
export function directiveValue(value: string): string {
  if (plain.test(value)) return value
  if (/\p{Cc}/u.test(value)) throw new Error(`nginx cannot represent this value: ${JSON.stringify(value)}`)
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
