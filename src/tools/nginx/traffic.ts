import { type FileHandle, open } from 'node:fs/promises'

/** The requests of one hour. */
export interface HourOfTraffic {
  requests: number
  bytes: number
  /** Answers by the first digit of their status, 1 to 5; others count as requests alone. */
  statuses: [number, number, number, number, number]
  /** The paths with the longest single requests, the longest first. */
  slowest: readonly SlowPath[]
}

export interface SlowPath {
  /** Without the query, which may contain secrets. */
  readonly path: string
  readonly seconds: number
}

/** How far a log was read. */
export interface LogPosition {
  readonly inode: number
  readonly offset: number
}

/** What was read from a log. */
export interface TrafficRead {
  /** Null if there is no log. */
  readonly position: LogPosition | null
  /** By the hour in UTC, such as `2026-11-24T04`. */
  readonly hours: ReadonlyMap<string, HourOfTraffic>
}

const partBytes = 1024 * 1024
const [newline, quoteMark, space, point, zero, backslash] = [0x0a, 0x22, 0x20, 0x2e, 0x30, 0x5c]
const [letterM, letterS] = [0x6d, 0x73]
const slowestKept = 10
const longestPath = 200

/**
 * Reads what was logged since a position, in the log and in the one that was rotated away since. Only complete lines are counted; a line
 * that nginx cannot have written is left out.
 */
export async function readTraffic(
  path: string,
  since: LogPosition | null,
  signal: AbortSignal,
): Promise<TrafficRead> {
  const sums = new TrafficSums()
  const live = await openLog(path)
  if (live === undefined) return { position: since, hours: sums.hours }
  try {
    let offset = 0
    if (since?.inode === live.inode) offset = since.offset
    else await readRotated(`${path}.1`, since, { sums, signal })
    const end = await sums.read(live.file, offset, signal)
    return { position: { inode: live.inode, offset: end }, hours: sums.hours }
  } finally {
    await live.file.close()
  }
}

/** Reads the rest of a log that was rotated; all of it if it is a later one than that which was read last. */
async function readRotated(
  path: string,
  since: LogPosition | null,
  { sums, signal }: { readonly sums: TrafficSums; readonly signal: AbortSignal },
): Promise<void> {
  const rotated = await openLog(path)
  if (rotated === undefined) return
  try {
    await sums.read(rotated.file, rotated.inode === since?.inode ? since.offset : 0, signal)
  } finally {
    await rotated.file.close()
  }
}

async function openLog(
  path: string,
): Promise<{ readonly file: FileHandle; readonly inode: number } | undefined> {
  try {
    const file = await open(path, 'r')
    return { file, inode: (await file.stat()).ino }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

interface OpenHour extends HourOfTraffic {
  slowest: SlowPath[]
  /** The milliseconds that a request must exceed to be among the slowest. */
  leastMs: number
}

/** Sums lines by the hour; one object for one read. It is written for speed: logs are the largest files of a host. */
class TrafficSums {
  readonly hours = new Map<string, OpenHour>()
  /** The time of the line that began the hour. */
  #local = Buffer.alloc(0)
  #hour: OpenHour | undefined

  /** Sums the complete lines of a file from an offset, and returns the offset behind them. */
  async read(file: FileHandle, from: number, signal: AbortSignal): Promise<number> {
    let offset = (await file.stat()).size < from ? 0 : from // it was emptied
    const buffer = Buffer.allocUnsafe(partBytes)
    for (;;) {
      signal.throwIfAborted()
      const { bytesRead } = await file.read(buffer, 0, partBytes, offset)
      if (bytesRead === 0) return offset
      const part = buffer.subarray(0, bytesRead)
      const end = part.lastIndexOf(newline) + 1
      for (let at = 0; at < end;) {
        const next = part.indexOf(newline, at)
        this.#line(part, at, next)
        at = next + 1
      }
      if (end === 0 && bytesRead < partBytes) return offset
      offset += end > 0 ? end : bytesRead // a line that is longer than a part is no line of nginx
    }
  }

  /**
   * Sums one line; one that nginx cannot have written is left out. nginx escapes quotes and line breaks in all
   * values: `ADDRESS - USER [24/Nov/2026:04:08:15 +0000] "GET /path HTTP/1.1" 200 512 "REFERER" "AGENT" 0.012`
   */
  #line(part: Buffer, start: number, end: number): void {
    let quote = start + 29
    while (quote < end && part[quote] !== quoteMark) quote++
    let closing = quote + 1
    // Apache writes a quote as \", and nginx no backslash at all
    while (closing < end && (part[closing] !== quoteMark || part[closing - 1] === backslash)) closing++
    if (closing + 6 >= end || part[closing + 5] !== space) return
    const digit = part[closing + 2]! - zero
    if (digit < 0 || digit > 9) return
    if (!this.#isInHour(part, quote)) this.#enter(part.toString('latin1', quote - 29, quote))
    const hour = this.#hour
    if (hour === undefined) return
    let bytes = 0
    for (let at = closing + 6; at < end; at++) {
      const each = part[at]! - zero
      if (each < 0 || each > 9) break
      bytes = bytes * 10 + each
    }
    hour.requests++
    hour.bytes += bytes
    if (digit >= 1 && digit <= 5) hour.statuses[digit - 1]!++
    const ms = millisecondsBefore(part, end)
    if (ms > hour.leastMs) this.#slow(hour, pathOf(part.toString('utf8', quote + 1, closing)), ms)
  }

  /** Compares the day, the hour and the zone: consecutive lines mostly have the same. */
  #isInHour(part: Buffer, quote: number): boolean {
    const local = this.#local
    for (let at = 0; at < 15; at++) if (part[quote - 29 + at] !== local[at]) return false
    for (let at = 21; at < 29; at++) if (part[quote - 29 + at] !== local[at]) return false
    return true
  }

  /** Begins with the hour of a line. */
  #enter(local: string): void {
    const key = hourOf(local)
    this.#hour = key === undefined ? undefined : this.#hourOf(key)
    // an hour that cannot be read is tried anew with the next line
    this.#local = Buffer.from(key === undefined ? '' : local, 'latin1')
  }

  #hourOf(key: string): OpenHour {
    const found = this.hours.get(key)
    if (found !== undefined) return found
    const hour: OpenHour = { requests: 0, bytes: 0, statuses: [0, 0, 0, 0, 0], slowest: [], leastMs: 0 }
    this.hours.set(key, hour)
    return hour
  }

  #slow(hour: OpenHour, path: string, ms: number): void {
    hour.slowest = withPath(hour.slowest, { path, seconds: ms / 1000 })
    if (hour.slowest.length === slowestKept) hour.leastMs = Math.round(hour.slowest.at(-1)!.seconds * 1000)
  }
}

/** The seconds with three decimals at the end of a line, or Apache's `12ms`, in milliseconds; 0 for a line of another format. */
function millisecondsBefore(part: Buffer, end: number): number {
  const isOfApache = part[end - 2] === letterM && part[end - 1] === letterS
  if (!isOfApache && part[end - 4] !== point) return 0
  let ms = 0
  let scale = 1
  for (let at = isOfApache ? end - 3 : end - 1; scale < 1e12; at--) {
    const each = part[at]!
    if (each === point) continue
    if (each < zero || each > zero + 9) return each === space ? ms : 0
    ms += (each - zero) * scale
    scale *= 10
  }
  return 0
}

/** Adds a path to the slowest ones; each is there once, with its longest request. */
export function withPath(slowest: readonly SlowPath[], added: SlowPath): SlowPath[] {
  const longest = Math.max(added.seconds, slowest.find(({ path }) => path === added.path)?.seconds ?? 0)
  return [...slowest.filter(({ path }) => path !== added.path), { path: added.path, seconds: longest }]
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, slowestKept)
}

/** The path of a request line: text that HTTP does not know is shown as it is. */
function pathOf(request: string): string {
  const [, target = request] = request.split(' ')
  return target.replace(/[?#].*$/s, '').slice(0, longestPath)
}

/** `[24/Nov/2026:04:08:15 +0000] ` is `2026-11-24T04`; undefined for any other text. */
function hourOf(local: string): string | undefined {
  const [, day, month, year, time, zone] =
    /^\[(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})\] $/.exec(local) ?? []
  const at = new Date(`${day} ${month} ${year} ${time} ${zone}`)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString().slice(0, 13)
}
