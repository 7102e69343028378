/** One word of a line: as written, and as HAProxy parses it. */
export interface Token {
  readonly raw: string
  readonly text: string
  /** Offset in the line. */
  readonly start: number
}

/**
 * Splits a line into words by HAProxy's rules ("Quoting and escaping"): quotes may begin in the middle of a
 * word, `#` outside quotes ends the line, an unknown escape keeps its backslash, and a carriage return or NUL
 * ends the line like a line end. An environment variable in double quotes is kept as written: its value is
 * unknown here.
 */
export function readTokens(line: string): readonly Token[] {
  const tokens: Token[] = []
  let at = skipSpaces(line, 0)
  while (!endsHere(line[at])) {
    const { text, end } = readToken(line, at)
    tokens.push({ raw: line.slice(at, end), text, start: at })
    at = skipSpaces(line, end)
  }
  return tokens
}

const plainToken = /^[ \t\v\f]*([^\s"'\\#\0]+)(?=[\s]|$)/

/** Returns the first word of a line, undefined if it is empty; most lines do not need the tokenizer. */
export function firstToken(line: string): string | undefined {
  return plainToken.exec(line)?.[1] ?? readTokens(line)[0]?.text
}

const safe = /^[A-Za-z0-9_.:/@%+,=*!?~^&;|<>(){}[\]-]+$/

/** Encodes a text as one word, quoted only if necessary. HAProxy cannot represent a NUL. */
export function encodeToken(text: string): string {
  if (text.includes('\0')) throw new Error('HAProxy cannot represent a NUL')
  if (safe.test(text)) return text
  if (text === '') return '""'

  const parts = text.match(/'|[\u0001-\u001f\u007f]|[^'\u0001-\u001f\u007f]+/g) ?? []
  return parts.map(encodePart).join('')
}

/** Strong quotes can contain everything except a strong quote and the characters that end the line. */
function encodePart(part: string): string {
  if (part === "'") return `"'"`
  const code = part.charCodeAt(0)
  if (code < 0x20 || code === 0x7f) return `"\\x${code.toString(16).padStart(2, '0')}"`
  return safe.test(part) ? part : `'${part}'`
}

const isSpace = (char: string | undefined) => char === ' ' || char === '\t' || char === '\v' || char === '\f'
const endsHere = (char: string | undefined) =>
  char === undefined || char === '\n' || char === '\r' || char === '\0' || char === '#'

function skipSpaces(line: string, from: number): number {
  let at = from
  while (isSpace(line[at])) at++
  return at
}

function readToken(line: string, start: number): { readonly text: string; readonly end: number } {
  let text = ''
  let quote = ''
  let at = start
  for (;;) {
    const char = line[at]
    if (char === undefined || char === '\n' || char === '\r' || char === '\0') return { text, end: at }
    if (quote === '' && (isSpace(char) || char === '#')) return { text, end: at }
    if (quote === '' && (char === '"' || char === "'")) quote = char
    else if (char === quote) quote = ''
    else if (char === '\\' && quote !== "'") {
      const escape = readEscape(line, at, quote)
      text += escape.text
      at += escape.length
      continue
    } else text += char
    at++
  }
}

const escapes: Readonly<Record<string, string>> = {
  ' ': ' ',
  '\\': '\\',
  '#': '#',
  '"': '"',
  "'": "'",
  n: '\n',
  r: '\r',
  t: '\t',
}

function readEscape(
  line: string,
  at: number,
  quote: string,
): { readonly text: string; readonly length: number } {
  const next = line[at + 1] ?? ''
  const known = escapes[next] ?? (next === '$' && quote === '"' ? '$' : undefined)
  if (known !== undefined) return { text: known, length: 2 }
  const hex = next === 'x' ? /^[0-9A-Fa-f]{2}/.exec(line.slice(at + 2, at + 4)) : null
  if (hex !== null) return { text: String.fromCharCode(Number.parseInt(hex[0], 16)), length: 4 }
  return { text: '\\', length: 1 }
}
