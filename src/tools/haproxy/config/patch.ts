import { digestOf } from '../../../host/files.ts'

/** What an edit exchanged in a text, so that the text before it can be had again to the byte. */
export interface Patch {
  readonly start: number
  readonly removed: string
  readonly inserted: string
  /** Of the text after the edit. */
  readonly digest: string
}

/** The smallest run of characters in which two texts differ. */
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

/** The text before the edit; undefined when somebody changed the text since. */
export function unpatched(text: string, { start, removed, inserted, digest }: Patch): string | undefined {
  return digestOf(text) === digest
    ? text.slice(0, start) + removed + text.slice(start + inserted.length)
    : undefined
}
