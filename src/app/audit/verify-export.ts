import {
  type Checkpoint,
  entryHash,
  type ExportHeader,
  isSigned,
  keptDays,
  noHash,
} from '../../changes/proof.ts'
import { type Entry, readHeader, readLine } from './form.ts'

const keptMs = keptDays * 86_400_000

/** What the reader of an export knows from elsewhere. */
export interface Trust {
  /** The public key, in base64. */
  readonly key?: string
  /** A checkpoint that was kept, and is signed. */
  readonly checkpoint?: Checkpoint
}

/** The first place where an export is not what the panel has written. */
interface Break {
  /** The entry; null where it is the export as a whole. */
  readonly at: number | null
  readonly reason: string
  /** True if the entry may still come: then it was moved, or another one was inserted before it. */
  readonly mayFollow?: true
}

export interface Verdict {
  readonly ok: boolean
  readonly entries: number
  readonly from: number
  readonly to: number
  readonly checkpoints: number
  readonly key: string
  /** When the export was made. */
  readonly signed_at: string
  /** True if the key, or a checkpoint, came from elsewhere. */
  readonly is_key_given: boolean
  readonly broken_at: number | null
  readonly reason: string | null
  /** If the entry of the given checkpoint was found; pruned if it was signed so long ago that it must have been. */
  readonly checkpoint: 'none' | 'met' | 'pruned' | 'missing'
}

/** The file is no export at all. */
export class NotAnExport extends Error {
  readonly exitCode = 2
}

interface Walk {
  readonly header: ExportHeader
  readonly trust: Trust
  readonly now: Date
  next: number
  hash: string
  entries: number
  checkpoints: number
  /** The newest entry up to which a checkpoint was met. */
  marked: number
  /** The first entry at which a checkpoint says that the panel has noticed a break. */
  noticed: number
  checkpoint: Verdict['checkpoint']
}

/** Checks an export line by line, to its first break. */
export async function verifyExport(lines: AsyncIterable<Buffer>, trust: Trust, now: Date): Promise<Verdict> {
  let walk: Walk | undefined
  let found: Break | undefined
  let number = 0
  for await (const line of lines) {
    number += 1
    if (walk === undefined) {
      walk = begin(line, trust, now)
      found = breakOfHeader(walk)
    } else if (found === undefined) found = step(walk, line, number)
    else if (found.mayFollow && idOf(line) === found.at) found = displaced(found)
    if (found && !found.mayFollow) break
  }
  if (walk === undefined) throw new NotAnExport('the file is empty')
  return verdictOf(walk, found ?? breakAtEnd(walk))
}

function begin(line: Buffer, trust: Trust, now: Date): Walk {
  const header = readHeader(line)
  if (header === undefined)
    throw new NotAnExport('the first line is not the header of an export of the activity log')
  const { id, hash } = header.anchor ?? { id: 0, hash: noHash }
  const noticed = Math.min(header.broken_at ?? Infinity, trust.checkpoint?.broken_at ?? Infinity)
  const checkpoint = trust.checkpoint === undefined ? 'none' : 'missing'
  const counts = { entries: 0, checkpoints: 0, marked: id }
  return { header, trust, now, next: id + 1, hash, ...counts, noticed, checkpoint }
}

function breakOfHeader({ header, trust: { key: wanted, checkpoint } }: Walk): Break | undefined {
  const { key } = header
  if (wanted !== undefined && wanted !== key)
    return { at: null, reason: `the export is signed by ${key}, not by ${wanted}` }
  if (checkpoint !== undefined && checkpoint.key !== key)
    return {
      at: null,
      reason: `the given checkpoint is signed by ${checkpoint.key}, the export by ${key}`,
    }
  return isSigned(header) ? undefined : { at: null, reason: `the header is not signed by ${key}` }
}

function breakOfSignature(checkpoint: Checkpoint, key: string): Break | undefined {
  if (checkpoint.key === key && isSigned(checkpoint)) return undefined
  return { at: checkpoint.id, reason: `the checkpoint at entry ${checkpoint.id} is not signed by ${key}` }
}

function step(walk: Walk, text: Buffer, number: number): Break | undefined {
  const line = readLine(text)
  if (line === undefined) return { at: walk.next, reason: `line ${number} is damaged`, mayFollow: true }
  return 'entry' in line ? takeEntry(walk, line.entry) : takeCheckpoint(walk, line.checkpoint)
}

function takeEntry(walk: Walk, entry: Entry): Break | undefined {
  const { next, header, trust } = walk
  if (entry.id > next) {
    const isFirst = walk.entries === 0 && header.anchor === null
    const how = isFirst ? 'missing, though not pruned' : 'missing'
    return { at: next, reason: `${areWithin(next, entry.id - 1)} ${how}`, mayFollow: true }
  }
  if (entry.id < next)
    return { at: entry.id, reason: `entry ${entry.id} comes again after entry ${next - 1}: it was inserted` }
  if (entryHash(walk.hash, entry) !== entry.hash)
    return {
      at: next,
      reason: `entry ${next} is not as it was written, or does not follow the one before it`,
      mayFollow: true,
    }
  if (trust.checkpoint?.id === entry.id) {
    if (trust.checkpoint.hash !== entry.hash)
      return {
        at: next,
        reason: `entry ${next} is not that of the given checkpoint: entries up to it were written anew`,
      }
    walk.checkpoint = 'met'
  }
  walk.hash = entry.hash
  walk.next += 1
  walk.entries += 1
  return undefined
}

function takeCheckpoint(walk: Walk, checkpoint: Checkpoint): Break | undefined {
  const found = breakOfSignature(checkpoint, walk.header.key)
  if (found) return found
  if (checkpoint.id !== walk.next - 1)
    return { at: checkpoint.id, reason: `the checkpoint at entry ${checkpoint.id} is in another place` }
  if (checkpoint.id === walk.marked)
    return { at: checkpoint.id, reason: `the checkpoint at entry ${checkpoint.id} comes twice` }
  if (checkpoint.hash !== walk.hash) return unmatched(walk, checkpoint.id)
  walk.checkpoints += 1
  walk.noticed = Math.min(walk.noticed, checkpoint.broken_at ?? Infinity)
  walk.marked = checkpoint.id
  return undefined
}

const unmatched = ({ marked }: Walk, id: number): Break => ({
  at: Math.min(marked + 1, id),
  reason: `${areWithin(Math.min(marked + 1, id), id)} not as the checkpoint at entry ${id} has them`,
})

const areWithin = (from: number, to: number): string =>
  from === to ? `entry ${from} is` : `entries ${from} to ${to} are`

/** An entry that comes again later was moved, or another one was put before it. */
const displaced = ({ at }: Break): Break => ({
  at,
  reason: `entry ${at} comes later in the file, or twice: entries were moved or inserted`,
})

function idOf(text: Buffer): number | undefined {
  const line = readLine(text)
  return line && 'entry' in line ? line.entry.id : undefined
}

function breakAtEnd(walk: Walk): Break | undefined {
  const { newest, checkpoints } = walk.header
  const given = walk.trust.checkpoint
  const last = walk.next - 1
  if (given && given.id > newest.id)
    return {
      at: newest.id + 1,
      reason: `${areWithin(newest.id + 1, given.id)} cut off: the given checkpoint is newer`,
    }
  if (last < newest.id)
    return { at: walk.next, reason: `${areWithin(walk.next, newest.id)} cut off at the end of the file` }
  if (last > newest.id)
    return {
      at: newest.id + 1,
      reason: `${areWithin(newest.id + 1, last)} not covered by the header`,
    }
  if (walk.hash !== newest.hash) return unmatched(walk, newest.id)
  if (walk.checkpoints !== checkpoints)
    return { at: null, reason: `${walk.checkpoints} of ${checkpoints} checkpoints are in the file` }
  const found = given && walk.checkpoint === 'missing' ? breakBeforeOldest(walk, given) : undefined
  if (found) return found
  return walk.noticed < Infinity
    ? { at: walk.noticed, reason: 'the panel itself has noticed a break here' }
    : undefined
}

/** An entry that the export no longer has was pruned only if it is old enough: a log that begins later may be a new one. */
function breakBeforeOldest(walk: Walk, { id, hash, created_at }: Checkpoint): Break | undefined {
  const { anchor, created_at: exportedAt } = walk.header
  const before = anchor ?? { id: 0, hash: noHash }
  if (id === before.id && hash !== before.hash)
    return { at: id, reason: 'the entries before the oldest one are not those of the given checkpoint' }
  if (anchor !== null) {
    const ageMs = Math.min(Date.parse(exportedAt), walk.now.getTime()) - Date.parse(created_at)
    if (!(ageMs > keptMs))
      return {
        at: id,
        reason: `the given checkpoint (entry ${id}, signed at ${created_at}) is not in the export, and is too new to have been pruned: give a newer one`,
      }
  }
  walk.checkpoint = anchor === null ? 'met' : 'pruned'
  return undefined
}

function verdictOf(walk: Walk, found: Break | undefined): Verdict {
  const { header, trust, next, entries, checkpoints, checkpoint } = walk
  return {
    ok: found === undefined,
    entries,
    from: next - entries,
    to: next - 1,
    checkpoints,
    key: header.key,
    signed_at: header.created_at,
    is_key_given: trust.key !== undefined || trust.checkpoint !== undefined,
    broken_at: found?.at ?? null,
    reason: found?.reason ?? null,
    checkpoint,
  }
}
