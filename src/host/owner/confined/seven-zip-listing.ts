import { Refusal, type ByteString } from './calls.ts'
import type { TarHeader } from './tar-headers.ts'

/** One entry as 7-Zip lists it, not validated yet. */
export interface ListedEntry {
  readonly header: TarHeader
  /** Bytes of content that follow for it; for a link, its target. */
  readonly size: number
  readonly crc: number | undefined
}

const maxRecordBytes = 64 * 1024

/** Reads the output of `7z l -slt -ba`: a record of `key = value` lines for each entry. A line break in a name is shown as `_`. */
export class Listing {
  readonly entries: ListedEntry[] = []
  readonly #maxEntries: number
  readonly #names = new Set<ByteString>()
  #record = new Map<string, ByteString>()
  #rest = ''

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  push(part: Buffer): void {
    const lines = (this.#rest + part.toString('latin1')).split('\n')
    this.#rest = lines.pop() ?? ''
    if (this.#rest.length > maxRecordBytes) throw new Refusal('REFUSED', undefined, 'a name that is too long')
    for (const line of lines) this.#line(line)
  }

  end(): void {
    this.#line(this.#rest)
    this.#line('')
  }

  #line(line: ByteString): void {
    if (line === '') return this.#close()
    const equals = line.indexOf(' = ')
    if (equals > 0) this.#record.set(line.slice(0, equals), line.slice(equals + 3))
    else if (line.endsWith(' =')) this.#record.set(line.slice(0, -2), '')
  }

  #close(): void {
    const record = this.#record
    if (record.size === 0) return
    this.#record = new Map()
    const name = record.get('Path') ?? ''
    if (record.get('Encrypted') === '+')
      throw new Refusal('REFUSED', name, 'it is encrypted, and encrypted archives are not supported')
    if (record.get('Anti') === '+') throw new Refusal('REFUSED', name, 'an entry that removes files')
    // If two names differed only in a line break, one would replace the other.
    if (this.#names.has(name)) throw new Refusal('REFUSED', name, 'two entries with the same name')
    this.#names.add(name)
    if (this.entries.length >= this.#maxEntries)
      throw new Refusal('REFUSED', name, `more than ${this.#maxEntries} entries`)
    this.entries.push(entryOf(name, record))
  }
}

const typesByLetter = new Map([
  ['-', '0'],
  ['d', '5'],
  ['l', '2'],
  ['p', '6'],
])

// `D drwxr-xr-x`, or `RA` if it was not created on Unix.
function entryOf(name: ByteString, record: ReadonlyMap<string, ByteString>): ListedEntry {
  const size = numberOf(record.get('Size') ?? '')
  const [marks = '', unix = ''] = (record.get('Attributes') ?? '').split(' ')
  const hasMode = /^.([r-][w-][xsStT-]){3}$/.test(unix)
  const type = hasMode ? (typesByLetter.get(unix[0]!) ?? '3') : marks.startsWith('D') ? '5' : '0'
  const crc = /^[0-9A-F]{8}$/.test(record.get('CRC') ?? '')
    ? Number.parseInt(record.get('CRC')!, 16)
    : undefined
  return {
    header: {
      name,
      type,
      size: type === '2' ? 0 : size,
      mode: hasMode ? modeOf(unix) : type === '5' ? 0o755 : 0o644,
      ...timeOf(record.get('Modified') ?? ''),
      linkName: '',
    },
    size,
    crc,
  }
}

// `2026-11-21 18:19:05.2974314`, in the process's own time zone, which is UTC.
function timeOf(text: string): Pick<TarHeader, 'mtime' | 'nanos'> {
  const seconds = Date.parse(`${text.slice(0, 19).replace(' ', 'T')}Z`) / 1000
  if (Number.isNaN(seconds)) return { mtime: Math.floor(Date.now() / 1000) } // it has no time: use the current one
  const decimals = /^\.(\d{1,9})$/.exec(text.slice(19))?.[1] ?? ''
  return { mtime: seconds, nanos: Number(decimals.padEnd(9, '0')) }
}

function modeOf(text: string): number {
  let mode = 0
  for (const letter of text.slice(1))
    mode = mode * 2 + (letter === '-' || letter === 'S' || letter === 'T' ? 0 : 1)
  return mode | (/[tT]$/.test(text) ? 0o1000 : 0)
}

function numberOf(text: string): number {
  const value = Number(text)
  if (text === '') return 0
  if (!/^\d{1,15}$/.test(text) || !Number.isSafeInteger(value))
    throw new Refusal('REFUSED', undefined, 'a size that is not a number')
  return value
}
