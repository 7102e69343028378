/** The time of an entry: seconds since 1970, negative before it, and additional nanoseconds. */
interface EntryTime {
  readonly mtime: number
  readonly nanos: number
}

/** Seconds from 1601, the epoch of Windows, to 1970. */
const windowsSeconds = 11_644_473_600n
const ticksPerSecond = 10_000_000n
const nanosPerTick = 100

/** Returns the modification time from the most exact available field of a directory entry. The DOS time, with a resolution of two seconds, is taken as UTC. */
export function timeOf(record: Buffer, fields: ReadonlyMap<number, Buffer>): EntryTime {
  return fineTime(fields.get(0x000a)) ?? secondsOf(fields) ?? dosTimeOf(record)
}

/** Info-ZIP's field: the time in seconds, UTC. Left out if it exceeds 32 bits. */
export function timeField(mtime: number): Buffer {
  if (Math.abs(mtime) > 0x7fffffff) return Buffer.alloc(0)
  const field = Buffer.from([0x55, 0x54, 5, 0, 1, 0, 0, 0, 0])
  field.writeInt32LE(mtime, 5)
  return field
}

/** The field of Windows: times in units of 100 nanoseconds, UTC. Left out if the seconds alone suffice, and before 1601. */
export function fineTimeField(mtime: number, nanos: number): Buffer {
  const ticks = (BigInt(mtime) + windowsSeconds) * ticksPerSecond + BigInt(Math.floor(nanos / nanosPerTick))
  if (ticks < 0 || (nanos < nanosPerTick && Math.abs(mtime) <= 0x7fffffff)) return Buffer.alloc(0)
  const field = Buffer.alloc(36)
  field.writeUInt16LE(0x000a, 0)
  field.writeUInt16LE(32, 2)
  field.writeUInt16LE(1, 8)
  field.writeUInt16LE(24, 10)
  for (const at of [12, 20, 28]) field.writeBigUInt64LE(ticks, at) // modified, accessed and created
  return field
}

/** Resolution of two seconds, from 1980 to 2107; the process's own time zone is UTC. */
export function dosTime(mtime: number): number {
  const time = new Date(Math.min(Math.max(mtime, 315_532_800), 4_354_819_198) * 1000)
  const date = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate()
  return (
    ((date << 16) |
      (time.getUTCHours() << 11) |
      (time.getUTCMinutes() << 5) |
      (time.getUTCSeconds() >> 1)) >>>
    0
  )
}

function fineTime(field: Buffer | undefined): EntryTime | undefined {
  if (field === undefined || field.length < 32 || field.readUInt16LE(4) !== 1 || field.readUInt16LE(6) < 24)
    return undefined
  const ticks = field.readBigUInt64LE(8)
  if (ticks === 0n) return undefined // the time is unknown
  return {
    mtime: Number(ticks / ticksPerSecond - windowsSeconds),
    nanos: Number(ticks % ticksPerSecond) * nanosPerTick,
  }
}

// Info-ZIP's field, its predecessor, which macOS still writes, and PKWARE's.
function secondsOf(fields: ReadonlyMap<number, Buffer>): EntryTime | undefined {
  const extended = fields.get(0x5455)
  if (extended !== undefined && extended.length >= 5 && (extended[0]! & 1) === 1)
    return { mtime: extended.readInt32LE(1), nanos: 0 }
  const former = [fields.get(0x5855), fields.get(0x000d)].find(
    (field) => field !== undefined && field.length >= 8,
  )
  return former && { mtime: former.readInt32LE(4), nanos: 0 }
}

function dosTimeOf(record: Buffer): EntryTime {
  const [time, date] = [record.readUInt16LE(12), record.readUInt16LE(14)]
  return {
    mtime:
      Date.UTC(
        1980 + (date >> 9),
        ((date >> 5) & 15) - 1,
        date & 31,
        time >> 11,
        (time >> 5) & 63,
        (time & 31) * 2,
      ) / 1000,
    nanos: 0,
  }
}
