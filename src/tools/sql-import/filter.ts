import { Problem } from '../../core/problem.ts'
import { StatementRefused } from './problems.ts'

/** A stretch of SQL text: a whole statement with its delimiter, a part of one, or what is between two. */
export interface Piece {
  readonly bytes: Buffer
  readonly kind: 'statement' | 'filler'
  /** The line on which its statement begins, from 1. */
  readonly line: number
  /** True if a statement ends with it. */
  readonly ends: boolean
}

/** The treatment of a statement: passed on, left out, or passed on with another beginning. */
export type Verdict = 'pass' | 'drop' | { readonly text: string }

/** The dialect of a server. */
export interface Dialect {
  /** Splits text that arrives in chunks into pieces, without collecting it. */
  readonly splitter: { push(chunk: Buffer): Piece[]; end(): Piece[] }
  /** Refuses a first statement that is not SQL. */
  readonly assertIsSql: (statement: string) => void
  /** Decides on a statement by its beginning (latin1); throws for one that must not be imported. */
  readonly verdictOn: (statement: string) => Verdict
}

/** A statement that was passed on. */
export interface Passed {
  /** From 1, of those that were passed on. */
  readonly number: number
  readonly line: number
  /** Its beginning. */
  readonly text: string
}

const headBytes = 16 * 1024
const shownCharacters = 200
/** Statements that end this far before the last one that was passed on have been carried out: no pipe and no client holds as much. */
const heldBytes = 8 * 1024 * 1024

/** Passes SQL text on to a client, statement by statement, within one database. */
export class StatementFilter {
  readonly #dialect: Dialect
  readonly #recent: (Passed & { readonly at: number })[] = []
  #head: Buffer[] = []
  #headBytes = 0
  #verdict: Verdict | undefined
  #refusal: Problem | undefined
  #count = 0
  #isFirst = true
  #passedBytes = 0

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** The number of statements that were passed on. */
  get count(): number {
    return this.#count
  }

  /** The reason why nothing more is passed on: a statement that must not be imported, or text that is not SQL. */
  get refusal(): Problem | undefined {
    return this.#refusal
  }

  /** Returns the text for the client, which ends with a whole statement if the next one is refused. */
  push(chunk: Buffer): Buffer {
    return this.#pass(this.#dialect.splitter.push(chunk))
  }

  /** Returns the rest of the text. */
  end(): Buffer {
    return this.#pass(this.#dialect.splitter.end())
  }

  /** Returns the statement that begins on a line of the text or before it, if it is one of the last. */
  at(line: number): Passed | undefined {
    return this.#recent.findLast((statement) => statement.line <= line)
  }

  #pass(pieces: readonly Piece[]): Buffer {
    const passed = Buffer.concat(pieces.flatMap((piece) => this.#take(piece)))
    this.#passedBytes += passed.length
    this.#forget()
    return passed
  }

  #take(piece: Piece): Buffer[] {
    const { bytes, kind, ends } = piece
    if (this.#refusal !== undefined) return []
    if (kind === 'filler') return [bytes]
    let out: Buffer[] = []
    if (this.#verdict === undefined) {
      this.#head.push(bytes)
      this.#headBytes += bytes.length
      if (!ends && this.#headBytes < headBytes) return []
      out = [this.#decide(piece)]
    } else out = [this.#verdict === 'drop' ? linesOf(bytes) : bytes]
    if (ends) this.#verdict = undefined
    return out
  }

  #decide({ line }: Piece): Buffer {
    const whole = this.#head.length === 1 ? (this.#head[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#head)
    ;[this.#head, this.#headBytes] = [[], 0]
    const text = whole.toString('latin1', 0, headBytes)
    this.#verdict = this.#verdictOn(text, line)
    if (this.#verdict === 'drop') return linesOf(whole)
    this.#count += 1
    this.#recent.push({
      number: this.#count,
      line,
      text: shownText(whole),
      at: this.#passedBytes,
    })
    if (this.#verdict === 'pass') return whole
    return Buffer.concat([Buffer.from(this.#verdict.text, 'latin1'), whole.subarray(text.length)])
  }

  #verdictOn(text: string, line: number): Verdict {
    try {
      if (this.#isFirst) this.#dialect.assertIsSql(text)
      this.#isFirst = false
      return this.#dialect.verdictOn(text)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      this.#refusal =
        error.kind === StatementRefused ? StatementRefused(`line ${line}: ${error.message}`) : error
      return 'drop'
    }
  }

  #forget(): void {
    const kept = this.#recent.findIndex(({ at }) => at >= this.#passedBytes - heldBytes)
    const before = (kept < 0 ? this.#recent.length : kept) - 1
    if (before > 0) this.#recent.splice(0, before)
  }
}

/** Returns the line breaks alone, so that the lines of what follows keep their numbers. */
const linesOf = (bytes: Buffer): Buffer => Buffer.alloc(bytes.filter((byte) => byte === 10).length, '\n')

/** Returns the beginning of a statement as it is shown to people. */
function shownText(bytes: Buffer): string {
  const text = bytes.toString('utf8', 0, shownCharacters).replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
  return bytes.length > shownCharacters ? `${text} …` : text
}
