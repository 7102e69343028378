import type { Piece } from '../../sql-import/filter.ts'

/** No token but a string or a comment may be longer; also the limit of a line that sets the delimiter. */
const lookaheadBytes = 256
const code = (character: string): number => character.charCodeAt(0)
const [newline, backslash, hash, dash, slash, star, bang, backtick] = [
  code('\n'),
  ...['\\', '#', '-', '/', '*', '!', '`'].map(code),
] as [number, number, number, number, number, number, number, number]
const quotes = new Set(['"', "'", '`'].map(code))
const spaces = new Set([' ', '\t', '\r', '\n', '\f', '\v'].map(code))
const delimiterCommand = /^delimiter[ \t]+(\S{1,16})[^\n]*(\n|$)/i

/**
 * Splits SQL text as the client of MariaDB does: by strings, comments and `DELIMITER` lines. Text arrives in
 * chunks and leaves in pieces without being collected, however long a statement is.
 */
export class StatementSplitter {
  #rest: Buffer = Buffer.alloc(0)
  #delimiter: Buffer = Buffer.from(';')
  /** A quote, the newline of a line comment, the star of a block comment; 0 outside of them. */
  #within = 0
  #isStarted = false
  #line = 1
  #startLine = 1

  /** Returns the pieces that a further chunk completes. */
  push(chunk: Buffer): Piece[] {
    return this.#split(this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]), lookaheadBytes)
  }

  /** Returns the last pieces. */
  end(): Piece[] {
    return this.#split(this.#rest, 0)
  }

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
    while (at < limit) {
      if (this.#within !== 0) {
        at = this.#skipWithin(text, at, limit)
        continue
      }
      const byte = text[at] ?? 0
      const comment = this.#commentAt(text, at)
      if (spaces.has(byte)) {
        if (byte === newline) this.#line += 1
        at += 1
      } else if (comment !== 0) {
        this.#within = comment
        at += comment === star ? 2 : 1
      } else if (this.#isDelimiterAt(text, at)) {
        at += this.#delimiter.length
        cut(true)
        this.#isStarted = false
      } else if (!this.#isStarted) {
        cut(false)
        this.#startLine = this.#line
        const command = this.#delimiterAt(text, at)
        this.#isStarted = command === 0
        at += command
      } else {
        if (quotes.has(byte)) this.#within = byte
        at = this.#skipWord(text, at + 1, limit)
      }
    }
    cut(lookahead === 0)
    this.#rest = text.subarray(at)
    return pieces
  }

  /** Skips letters and digits, which have no meaning inside a statement unless the delimiter begins with one. */
  #skipWord(text: Buffer, start: number, limit: number): number {
    if (this.#within !== 0) return start
    let at = start
    while (at < limit && isWord(text[at] ?? 0) && text[at] !== this.#delimiter[0]) at += 1
    return at
  }

  #skipWithin(text: Buffer, start: number, limit: number): number {
    const [end, escapes] = [this.#within, this.#within !== backtick && quotes.has(this.#within)]
    let at = start
    for (; at < limit; at += 1) {
      const byte = text[at]
      if (byte === newline) this.#line += 1
      if (escapes && byte === backslash) {
        at += 1
        if (text[at] === newline) this.#line += 1
      } else if (byte === end && (end !== star || text[at + 1] === slash)) {
        this.#within = 0
        return end === star ? at + 2 : at + 1
      }
    }
    return Math.min(at, text.length)
  }

  /** Returns the byte that ends the comment which begins here; 0 if there is none. Comments that the server executes are text. */
  #commentAt(text: Buffer, at: number): number {
    const [first, second, third] = [text[at], text[at + 1], text[at + 2]]
    if (first === hash) return newline
    if (first === dash && second === dash)
      return third === undefined || spaces.has(third) || !this.#isStarted ? newline : 0
    if (first !== slash || second !== star || third === bang) return 0
    return third === code('M') && text[at + 3] === bang ? 0 : star
  }

  #isDelimiterAt(text: Buffer, at: number): boolean {
    const { length } = this.#delimiter
    if (text[at] !== this.#delimiter[0]) return false
    return length === 1 || text.subarray(at, at + length).equals(this.#delimiter)
  }

  /** Takes the new delimiter from a line that sets one; returns the length of the line, or 0. */
  #delimiterAt(text: Buffer, at: number): number {
    if ((text[at] ?? 0) !== code('d') && text[at] !== code('D')) return 0
    const [line = '', delimiter] =
      delimiterCommand.exec(text.toString('latin1', at, at + lookaheadBytes)) ?? []
    if (delimiter === undefined) return 0
    this.#delimiter = Buffer.from(delimiter, 'latin1')
    if (line.endsWith('\n')) this.#line += 1
    return line.length
  }
}

const isWord = (byte: number): boolean =>
  (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122) || byte > 127
