import { type PublicKey, parsePublicKey } from './public-key.ts'

/** A line of an authorized_keys file that has a key. */
export interface KeyLine {
  readonly key: PublicKey
  /** True if options such as `command=` or `from=` precede the key. */
  readonly hasOptions: boolean
}

/** Lists the keys of an authorized_keys file (sshd(8)), in its order; other lines are left out. */
export const keysIn = (text: string): readonly KeyLine[] =>
  linesOf(text).flatMap((line) => readLine(line) ?? [])

/** Returns the file with a key as its last line; every other byte stays. */
export function withLine(text: string, line: string): string {
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`
}

/** Returns the file without the lines of a key, also those with options; every other byte stays. */
export const withoutKey = (text: string, fingerprint: string): string =>
  linesOf(text)
    .filter((line) => readLine(line)?.key.fingerprint !== fingerprint)
    .join('')

/** Returns the lines of a key, without their ends. */
export const linesOfKey = (text: string, fingerprint: string): readonly string[] =>
  linesOf(text)
    .filter((line) => readLine(line)?.key.fingerprint === fingerprint)
    .map((line) => line.replace(/\n$/, ''))

/** The lines with their ends, so that they can be joined again. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

function readLine(line: string): KeyLine | undefined {
  const text = line.trim()
  if (text === '' || text.startsWith('#')) return undefined
  const plain = parsePublicKey(text)
  if (plain !== undefined) return { key: plain, hasOptions: false }
  const key = parsePublicKey(afterOptions(text))
  return key && { key, hasOptions: true }
}

/** Options end at the first blank outside quotes; within them a quote is escaped by a backslash (sshd(8)). */
const afterOptions = (text: string): string => /^(?:"(?:\\"|[^"])*"|[^\s"])+\s+(.*)$/s.exec(text)?.[1] ?? ''
