import { ZoneFileInvalid } from '../problems.ts'

export interface Token {
  readonly text: string
  /** Text in quotes keeps its escapes, without the quotes. */
  readonly isQuoted: boolean
  /** It follows the token before it without a blank, as a value in quotes follows its key. */
  readonly isJoined: boolean
}

/** An entry: a line, or several within parentheses. */
export interface Entry {
  /** Of its first line, from 1. */
  readonly line: number
  /** True if the entry begins with a space: its name is that of the entry before. */
  readonly isContinued: boolean
  readonly tokens: readonly Token[]
}

/** Of a line: more than the longest text needs, and less than what the expressions below can take. */
const longestLine = 1_000_000

const token = /"((?:[^"\\\n]|\\[^\n])*)"|((?:[^\s;()"\\]|\\[^\n])+)|(\n)|([()])|;[^\n]*|[^\S\n]+|(")|(.)/gsu

/** Splits a zone file into entries (RFC 1035, 5.1): comments, quotes, escapes and parentheses. */
export function* entriesOf(source: string): Generator<Entry> {
  const text = source.replaceAll(/\r\n?/g, '\n')
  assertLines(text)
  let [line, depth, start, end] = [1, 0, 1, 0]
  let tokens: Token[] = []
  let isContinued = /^[^\S\n]/.test(text)
  for (const found of text.matchAll(token)) {
    const [, quoted, bare, newline, parenthesis, open, other] = found
    const own = quoted ?? bare
    if (own !== undefined) {
      const isJoined = tokens.length > 0 && found.index === end
      tokens.push({ text: own, isQuoted: quoted !== undefined, isJoined })
      end = found.index + found[0].length
    } else if (parenthesis !== undefined) depth += parenthesis === '(' ? 1 : -1
    else if (open !== undefined) throw ZoneFileInvalid(`bind_data: line ${line}: a quote is not closed`)
    else if (other !== undefined) throw ZoneFileInvalid(`bind_data: line ${line}: unexpected ${other}`)
    if (depth < 0)
      throw ZoneFileInvalid(`bind_data: line ${line}: a parenthesis is closed that was not opened`)
    if (newline === undefined) continue
    line += 1
    if (depth > 0) continue
    if (tokens.length > 0) yield { line: start, isContinued, tokens }
    tokens = []
    start = line
    isContinued = /[^\S\n]/.test(text[(found.index ?? 0) + 1] ?? '')
  }
  if (depth > 0) throw ZoneFileInvalid(`bind_data: line ${start}: a parenthesis is not closed`)
  if (tokens.length > 0) yield { line: start, isContinued, tokens }
}

function assertLines(text: string): void {
  let [line, start] = [1, 0]
  while (start <= text.length) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    if (end - start > longestLine)
      throw ZoneFileInvalid(
        `bind_data: line ${line}: a line has at most ${longestLine} characters, and this one ${end - start}`,
      )
    start = end + 1
    line += 1
  }
}
