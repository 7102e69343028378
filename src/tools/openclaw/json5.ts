import { ConfigUnreadable } from './problems.ts'

/** A configuration of OpenClaw. */
export type Config = Readonly<Record<string, unknown>>

/** True for what JSON calls an object. */
export const isRecord = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses the text of a configuration, which people may write with comments; the panel writes plain JSON. */
export function parseConfig(text: string): Config {
  const value = parsed(text)
  if (!isRecord(value)) throw ConfigUnreadable('The configuration must be an object')
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(jsonOf(text))
  } catch (error) {
    throw ConfigUnreadable(`The configuration: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Renders a configuration; JSON is a part of JSON5. */
export const renderConfig = (config: Config): string => `${JSON.stringify(config, null, 2)}\n`

/** The tokens of JSON5 (json5.org): blanks and comments, strings, punctuation, numbers, names. */
const tokens =
  /\s+|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/|"(?:[^"\\\n\r]|\\(?:\r\n|[^]))*"|'(?:[^'\\\n\r]|\\(?:\r\n|[^]))*'|[{}[\],:]|[-+]?(?:0[xX][\dA-Fa-f]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/guy
const blank = /^(?:\s|\/[/*])/
const name = /^[\p{ID_Start}$_]/u

/** Turns JSON5 into JSON token by token: whether these make sense in their order is left to the parser of JSON. */
function jsonOf(text: string): string {
  const found = [...text.matchAll(tokens)].map(([token]) => token)
  const { length } = found.join('')
  if (length < text.length) throw new SyntaxError(`unexpected ${text.charAt(length)} at character ${length + 1}`)
  const solid = found.filter((token) => !blank.test(token))
  return solid.map((token, index) => tokenOf(token, solid[index - 1], solid[index + 1])).join(' ')
}

function tokenOf(token: string, before: string | undefined, after: string | undefined): string {
  if (token.startsWith('"') || token.startsWith("'")) return JSON.stringify(unescaped(token.slice(1, -1)))
  if (name.test(token)) return after === ':' ? JSON.stringify(token) : token
  if (/^[-+.\d]/.test(token)) return numberOf(token)
  const isTrailing = token === ',' && (after === '}' || after === ']') && before !== '{' && before !== '['
  return isTrailing ? '' : token
}

function numberOf(token: string): string {
  const value = Number(token.replace(/^[-+]/, ''))
  return String(token.startsWith('-') ? -value : value)
}

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  0: '\0',
}

/** The text between quotation marks; a backslash at the end of a line continues it. */
const unescaped = (text: string): string =>
  text.replaceAll(
    /\\(?:u([\dA-Fa-f]{4})|x([\dA-Fa-f]{2})|(\r\n|[^]))/g,
    (_all: string, wide?: string, narrow?: string, other = '') => {
      const code = wide ?? narrow
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
      return /^[\n\r\u2028\u2029]/.test(other) ? '' : (escapes[other] ?? other)
    },
  )
