import { digestOf } from '../../../host/files.ts'

/** The difference made by an edit, from which the previous text can be restored byte for byte. */
export interface Patch {
  readonly start: number
  readonly removed: string
  readonly inserted: string
  /** Digest of the text after the edit. */
  readonly digest: string
}

/** Returns the smallest run of characters in which two texts differ. */
export function patchBetween(before: string, after: string): Patch {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let same = 0
  while (same < shorter - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same++
  return {
    start,
    removed: before.slice(start, before.length - same),
    inserted: after.slice(start, after.length - same),
    digest: digestOf(after),
  }
}

/** Returns the text before the edit; undefined if the text has been changed since. */
export function unpatched(text: string, { start, removed, inserted, digest }: Patch): string | undefined {
  return digestOf(text) === digest
    ? text.slice(0, start) + removed + text.slice(start + inserted.length)
    : undefined
}
