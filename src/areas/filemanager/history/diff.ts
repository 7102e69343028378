import { buffer } from 'node:stream/consumers'
import { Problem, type ProblemKind } from '../../../core/problem.ts'
import { unifiedDiff } from '../../../core/unified-diff.ts'
import { type Owner, ownerProblems } from '../../../host/owner/index.ts'
import { contentOf } from '../content.ts'
import type { TextPath } from '../paths.ts'
import type { Files } from '../named-files.ts'
import type { History } from './history.ts'
import { rowPath } from './show.ts'
import type { VersionRow } from './store.ts'

const maxSideBytes = 4 * 1024 * 1024
const maxSideLines = 100_000
const maxDiffCharacters = 2 * 1024 * 1024

interface Asked {
  readonly from: number
  readonly to?: number
}

/** Compares a version with another version or with the current file. */
export async function diffVersions(history: History, files: Files, { from, to }: Asked) {
  const older = await history.version(files, from, 'from')
  const newer = to === undefined ? undefined : await history.version(files, to, 'to')
  const before = await history.contentOf(older, 'from')
  const after =
    newer === undefined ? await currentOf(files, rowPath(older)) : await history.contentOf(newer, 'to')
  const sizes = { from_size_bytes: before.length, to_size_bytes: after?.length ?? null }
  const isEqual = after !== undefined && before.equals(after)
  if (isEqual) return { diff: '', is_binary: false, is_equal: true, is_cut: false, ...sizes }
  for (const [field, side] of [
    ['from', before],
    ['to', after],
  ] as const)
    if (side !== undefined) refuseLarge(`${field}: ${older.path}`, side)
  const [old, fresh] = [textOf(before), after === undefined ? undefined : textOf(after)]
  if (old === null || fresh === null)
    return { diff: '', is_binary: true, is_equal: false, is_cut: false, ...sizes }
  const diff = unifiedDiff(older.path, old, fresh)
  return {
    diff: cutLines(diff),
    is_binary: false,
    is_equal: false,
    is_cut: diff.length > maxDiffCharacters,
    ...sizes,
  }
}

/** Returns the diff that restoring a version would make, for display; undefined if it cannot be shown. */
export async function diffOfRestore(
  history: History,
  files: Files,
  row: VersionRow,
): Promise<string | undefined> {
  return diffOfContents(row.path, await currentOf(files, rowPath(row)), await history.contentOf(row))
}

/** Returns the diff that writing a file would make. A file that its owner may not read can still be replaced. */
export async function diffOfWriting(
  owner: Owner,
  path: TextPath,
  content: Uint8Array,
): Promise<string | undefined> {
  try {
    return diffOfContents(path.path, await currentOf({ owner }, path), Buffer.from(content))
  } catch (error) {
    if (error instanceof Problem && unshown.has(error.kind)) return undefined
    throw error
  }
}

const unshown: ReadonlySet<ProblemKind> = new Set([ownerProblems.NotPermitted, ownerProblems.FileChanged])

function diffOfContents(path: string, now: Buffer | undefined, then: Buffer): string | undefined {
  if (
    [now, then].some(
      (side) => side !== undefined && (side.length > maxSideBytes || linesIn(side) > maxSideLines),
    )
  )
    return undefined
  const [old, fresh] = [now === undefined ? undefined : textOf(now), textOf(then)]
  return old === null || fresh === null ? undefined : cutLines(unifiedDiff(path, old, fresh))
}

function refuseLarge(what: string, side: Buffer): void {
  if (side.length > maxSideBytes)
    throw ownerProblems.TooLarge(
      `${what} has ${side.length} bytes, more than the limit of ${maxSideBytes} for a comparison`,
    )
  const lines = linesIn(side)
  if (lines > maxSideLines)
    throw ownerProblems.TooLarge(
      `${what} has ${lines} lines, more than the limit of ${maxSideLines} for a comparison`,
    )
}

function linesIn(side: Buffer): number {
  let lines = 0
  for (let at = side.indexOf(10); at !== -1; at = side.indexOf(10, at + 1)) lines++
  return lines
}

// Reads one byte beyond the limit, so that a larger file is recognized.
async function currentOf({ owner }: Pick<Files, 'owner'>, path: TextPath): Promise<Buffer | undefined> {
  try {
    return await buffer((await owner.read(path, { end: maxSideBytes + 1 })).stream)
  } catch (error) {
    if (error instanceof Problem && error.kind === ownerProblems.NoSuchFile) return undefined
    throw error
  }
}

function textOf(bytes: Buffer): string | null {
  const { content, encoding } = contentOf(bytes, { start: 0, limit: bytes.length })
  return encoding === 'base64' ? null : content
}

function cutLines(diff: string): string {
  if (diff.length <= maxDiffCharacters) return diff
  return diff.slice(0, diff.lastIndexOf('\n', maxDiffCharacters) + 1)
}
