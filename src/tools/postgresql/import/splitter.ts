import { StatementRefused } from '../../sql-import/problems.ts'
import type { Piece } from '../../sql-import/filter.ts'

const code = (character: string): number => character.charCodeAt(0)
const [newline, backslash, dash, slash, star, quote, doubleQuote, dollar, semicolon, open, close] = [
  code('\n'),
  ...['\\', '-', '/', '*', "'", '"', '$', ';', '(', ')'].map(code),
] as [number, number, number, number, number, number, number, number, number, number, number]
const spaces = new Set([' ', '\t', '\r', '\n', '\f', '\v'].map(code))

/** No word, tag or command of the client may be longer. */
const lookaheadBytes = 512
/** Enough of a statement to tell which one it is. */
const headBytes = 2048
const copying = /^\s*copy\b[^]*\bfrom\s+stdin\b/i
const makesRoutine = /^\s*create\s+(?:or\s+replace\s+)?(?:function|procedure)\b/i
const endOfData = Buffer.from('\n\\.\n')

/**
 * Splits SQL text as psql does: by strings, quoted names, dollar quotes, nested comments, parentheses, bodies of
 * routines, and the data of `COPY … FROM stdin`, which is a part of its statement. Text arrives in chunks and leaves in pieces
 * without being collected. Commands of the client are refused, but those with which dumps protect themselves.
 */
export class PostgresSplitter {
  #rest: Buffer = Buffer.alloc(0)
  /** What ends the quotation, comment or data that the text is in. */
  #within: Buffer | undefined
  #hasEscapes = false
  #comments = 0
  #parentheses = 0
  #blocks = 0
  #head = ''
  #isStarted = false
  #line = 1
  #startLine = 1

  /** True if the text ends within a statement, a quotation or data: it was broken off. */
  get isOpen(): boolean {
    const isQuoted = this.#within !== undefined && this.#within[0] !== newline
    return isQuoted || this.#within === endOfData || this.#comments > 0 || this.#parentheses > 0
  }

  /** Returns the pieces that a further chunk completes. */
  push(chunk: Buffer): Piece[] {
    return this.#split(this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]), lookaheadBytes)
  }

  /** Returns the last pieces. */
  end(): Piece[] {
    return this.#split(this.#rest, 0)
  }

  // oxlint-disable-next-line max-lines-per-function -- one loop over the kinds of tokens
  #split(text: Buffer, lookahead: number): Piece[] {
    const pieces: Piece[] = []
    const limit = text.length - lookahead
    let [from, at] = [0, 0]
    const cut = (ends: boolean) => {
      if (at === from) return
      const kind = this.#isStarted ? 'statement' : 'filler'
      pieces.push({ bytes: text.subarray(from, at), kind, line: this.#startLine, ends })
      from = at
    }
    const finish = () => {
      cut(true)
      ;[this.#isStarted, this.#head, this.#blocks, this.#parentheses] = [false, '', 0, 0]
    }
    while (at < limit) {
      if (this.#within !== undefined) {
        const isData = this.#within === endOfData
        at = this.#skipQuoted(text, at, limit)
        if (isData && this.#within === undefined) finish()
        continue
      }
      if (this.#comments > 0) {
        at = this.#skipComment(text, at, limit)
        continue
      }
      const byte = text[at] ?? 0
      if (spaces.has(byte)) {
        if (byte === newline) this.#line += 1
        at += 1
        this.#note(' ')
      } else if (byte === dash && text[at + 1] === dash) {
        const end = text.indexOf(newline, at)
        at = end === -1 || end > limit ? Math.max(limit, at + 2) : end
        if (end === -1 || end > limit) this.#within = Buffer.from('\n')
      } else if (byte === slash && text[at + 1] === star) {
        this.#comments = 1
        at += 2
      } else if (byte === backslash) {
        if (this.#isStarted) throw commandRefused(text, at, this.#line)
        cut(false)
        at += this.#lengthOfCommand(text, at)
        from = at // a command with which a dump protects itself: the panel does so otherwise
      } else if (byte === semicolon && this.#parentheses === 0 && this.#blocks === 0) {
        if (!this.#isStarted) cut(false)
        at += 1
        if (copying.test(this.#head)) {
          const end = text.indexOf(newline, at)
          at = end === -1 ? at : end
          this.#within = endOfData
        } else finish()
      } else {
        if (!this.#isStarted) {
          cut(false)
          this.#startLine = this.#line
          this.#isStarted = true
        }
        at = this.#token(text, at)
      }
    }
    cut(lookahead === 0)
    this.#rest = text.subarray(at)
    return pieces
  }

  #note(text: string): void {
    if (this.#isStarted && this.#head.length < headBytes) this.#head += text
  }

  /** Returns the end of a token of a statement, or of what begins a quotation. */
  #token(text: Buffer, at: number): number {
    const byte = text[at] ?? 0
    if (byte === quote || byte === doubleQuote) {
      this.#within = Buffer.from([byte])
      this.#hasEscapes = false
      this.#note('"')
      return at + 1
    }
    if (byte === dollar) return this.#dollar(text, at)
    if (byte === open) this.#parentheses += 1
    if (byte === close) this.#parentheses = Math.max(0, this.#parentheses - 1)
    if (!isWord(byte)) {
      this.#note(String.fromCharCode(byte))
      return at + 1
    }
    let end = at + 1
    while (end < text.length && end - at < lookaheadBytes && isWord(text[end] ?? 0)) end += 1
    const word = text.toString('latin1', at, end)
    this.#note(word)
    if (text[end] === quote && /^e$/i.test(word)) {
      this.#within = Buffer.from([quote])
      this.#hasEscapes = true
      return end + 1
    }
    this.#count(word.toLowerCase())
    return end
  }

  /** The body of a routine may be statements between `begin atomic` and `end`, with `case … end` among them. */
  #count(word: string): void {
    if (word === 'begin' && makesRoutine.test(this.#head)) this.#blocks += 1
    if (this.#blocks === 0) return
    if (word === 'case') this.#blocks += 1
    if (word === 'end') this.#blocks -= 1
  }

  #dollar(text: Buffer, at: number): number {
    const [tag] = /^\$(?:[A-Za-z_\x80-\xff][\w\x80-\xff]*)?\$/.exec(
      text.toString('latin1', at, at + lookaheadBytes),
    ) ?? [undefined]
    this.#note('$')
    if (tag === undefined) return at + 1
    this.#within = Buffer.from(tag, 'latin1')
    this.#hasEscapes = false
    return at + tag.length
  }

  #skipQuoted(text: Buffer, start: number, limit: number): number {
    const end = this.#within ?? endOfData
    if (this.#hasEscapes) return this.#skipEscaped(text, start, limit)
    const found = text.indexOf(end, start)
    // what ends it may be cut by the end of the text so far
    const until = found === -1 ? Math.max(start, limit) : found + end.length
    if (found === -1 && end === endOfData && limit === text.length && endsData(text)) this.#within = undefined
    if (found !== -1) this.#within = undefined
    this.#countLines(text, start, until)
    return Math.min(until, text.length)
  }

  #skipEscaped(text: Buffer, start: number, limit: number): number {
    let at = start
    for (; at < limit; at += 1) {
      if (text[at] === newline) this.#line += 1
      if (text[at] === backslash) {
        at += 1
        if (text[at] === newline) this.#line += 1
      } else if (text[at] === quote) {
        this.#within = undefined
        this.#hasEscapes = false
        return at + 1
      }
    }
    return Math.min(at, text.length)
  }

  #skipComment(text: Buffer, start: number, limit: number): number {
    let at = start
    while (at < limit && this.#comments > 0) {
      const [first, second] = [text[at], text[at + 1]]
      if (first === newline) this.#line += 1
      if (first === star && second === slash) this.#comments -= 1
      else if (first === slash && second === star) this.#comments += 1
      else {
        at += 1
        continue
      }
      at += 2
    }
    return Math.min(at, text.length)
  }

  #countLines(text: Buffer, from: number, to: number): void {
    for (let at = text.indexOf(newline, from); at !== -1 && at < to; at = text.indexOf(newline, at + 1))
      this.#line += 1
  }

  #lengthOfCommand(text: Buffer, at: number): number {
    const [line] =
      /^\\(?:un)?restrict [\w]+[ \r]*(?=\n|$)/.exec(text.toString('latin1', at, at + lookaheadBytes)) ?? []
    if (line === undefined) throw commandRefused(text, at, this.#line)
    return line.length
  }
}

const endsData = (text: Buffer): boolean => text.subarray(-3).toString('latin1') === '\n\\.'

const commandRefused = (text: Buffer, at: number, line: number): Error => {
  const [shown = ''] = /^[^\n]{0,80}/.exec(text.toString('utf8', at, at + 200)) ?? []
  return StatementRefused(
    `line ${line}: ${shown}: it is a command of the program psql, which is not carried out: remove it from the file`,
  )
}

const isWord = (byte: number): boolean =>
  (byte >= 48 && byte <= 57) ||
  (byte >= 65 && byte <= 90) ||
  (byte >= 97 && byte <= 122) ||
  byte === 95 ||
  byte > 127
