import { type Checkpoint, entryHash, isSigned, noHash } from '../../changes/proof.ts'
import { type Entry, type Header, readHeader, readLine } from './form.ts'

/** What the reader of an export knows from elsewhere. */
export interface Trust {
  /** The public key, in base64. */
  readonly key?: string
  /** A checkpoint that was kept, and is signed. */
  readonly checkpoint?: Checkpoint
}

/** The first place where an export is not what the panel has written. */
interface Break {
  /** The entry; null where the export as a whole is not from this key. */
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
  /** When the newest entry was signed. */
  readonly signed_at: string
  /** True if the key, or a checkpoint, came from elsewhere. */
  readonly is_key_given: boolean
  readonly broken_at: number | null
  readonly reason: string | null
  /** What the given checkpoint says: nothing, if its entry was pruned. */
  readonly checkpoint: 'none' | 'met' | 'pruned'
}

/** The file is no export at all. */
export class NotAnExport extends Error {
  readonly exitCode = 2
}

interface Walk {
  readonly header: Header
  readonly trust: Trust
  next: number
  hash: string
  entries: number
  checkpoints: number
  /** The newest entry up to which a checkpoint was met. */
  marked: number
}

/** Checks an export line by line, to its first break. */
export async function verifyExport(lines: AsyncIterable<Buffer>, trust: Trust): Promise<Verdict> {
  let walk: Walk | undefined
  let found: Break | undefined
  let number = 0
  for await (const line of lines) {
    number += 1
    if (walk === undefined) {
      walk = begin(line, trust)
      found = breakOfHeader(walk)
    } else if (found === undefined) found = step(walk, line, number)
    else if (found.mayFollow && idOf(line) === found.at) found = displaced(found)
    if (found && !found.mayFollow) break
  }
  if (walk === undefined) throw new NotAnExport('the file is empty')
  return verdictOf(walk, found ?? breakAtEnd(walk))
}

function begin(line: Buffer, trust: Trust): Walk {
  const header = readHeader(line)
  if (header === undefined)
    throw new NotAnExport('the first line is not the header of an export of the activity log')
  const { anchor } = header
  const [next, hash] = anchor ? [anchor.id + 1, anchor.hash] : [1, noHash]
  return { header, trust, next, hash, entries: 0, checkpoints: anchor ? 2 : 1, marked: next - 1 }
}

function breakOfHeader({ header: { anchor, key, newest }, trust }: Walk): Break | undefined {
  const wanted = trust.key ?? trust.checkpoint?.key
  if (wanted !== undefined && key !== wanted)
    return { at: null, reason: `the export is signed by ${key}, not by ${wanted}` }
  return (
    breakOfSignature(newest, key) ??
    (anchor ? breakOfSignature(anchor, key) : undefined) ??
    (anchor && anchor.id > newest.id
      ? { at: newest.id, reason: 'the newest checkpoint is older than the one before the oldest entry' }
      : undefined)
  )
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
    const how = isFirst ? 'removed without a checkpoint' : 'missing'
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
  if (trust.checkpoint?.id === entry.id && trust.checkpoint.hash !== entry.hash)
    return {
      at: next,
      reason: `entry ${next} is not that of the given checkpoint: entries up to it were written anew`,
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
  if (checkpoint.hash !== walk.hash) return unmatched(walk, checkpoint.id)
  walk.checkpoints += 1
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
  const { newest, anchor } = walk.header
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
      reason: `${areWithin(newest.id + 1, last)} not covered by the newest checkpoint`,
    }
  if (walk.hash !== newest.hash) return unmatched(walk, newest.id)
  if (given && given.id === (anchor?.id ?? 0) && given.hash !== (anchor?.hash ?? noHash))
    return { at: given.id, reason: 'the entries before the oldest one are not those of the given checkpoint' }
  const noticed = newest.broken_at ?? given?.broken_at
  return typeof noticed === 'number'
    ? { at: noticed, reason: 'the panel itself has noticed a break here' }
    : undefined
}

function verdictOf(walk: Walk, found: Break | undefined): Verdict {
  const { header, trust, next, entries, checkpoints } = walk
  const isPruned = (trust.checkpoint?.id ?? Infinity) < (header.anchor?.id ?? 0)
  return {
    ok: found === undefined,
    entries,
    from: next - entries,
    to: next - 1,
    checkpoints,
    key: header.key,
    signed_at: header.newest.created_at,
    is_key_given: trust.key !== undefined || trust.checkpoint !== undefined,
    broken_at: found?.at ?? null,
    reason: found?.reason ?? null,
    checkpoint: trust.checkpoint === undefined ? 'none' : isPruned ? 'pruned' : 'met',
  }
}
