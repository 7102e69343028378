import type { FileFacts, FileRights } from '../../host/files.ts'

/** The mode, owner and group of a file as a text: `0640 0:33`. */
export const textOfRights = ({ mode, uid, gid }: FileRights): string =>
  `${mode.toString(8).padStart(4, '0')} ${uid}:${gid}`

/** The rights of a regular file; undefined if there is none. */
export const rightsOf = (facts: FileFacts | undefined): string | undefined =>
  facts?.kind === 'file' ? textOfRights(facts) : undefined

/** Takes apart what `textOfRights` made. */
export function rightsIn(text: string): FileRights {
  const [, mode = '', uid, gid] = /^([0-7]+) (\d+):(\d+)$/.exec(text) ?? []
  return { mode: Number.parseInt(mode, 8), uid: Number(uid), gid: Number(gid) }
}

/** What is wanted after a write, by what was wanted and what was there before it: a write that changes no rights keeps those of others. */
export function rightsAfter(
  wanted: string | undefined,
  { before, after }: { readonly before: string | undefined; readonly after: string | undefined },
): string | undefined {
  return after !== undefined && after === before ? (wanted ?? after) : after
}

const writableByOthers = 0o022

/** True if others than root and the wanted owner could write to a file, as they could not as it is wanted. */
export function isOpened(text: string, wanted: string | undefined): boolean {
  const [live, was] = [rightsIn(text), wanted === undefined ? undefined : rightsIn(wanted)]
  const writable = live.mode & writableByOthers
  return (
    (live.uid !== 0 && live.uid !== was?.uid) ||
    (writable & ~(was?.mode ?? 0)) !== 0 ||
    ((writable & 0o020) !== 0 && live.gid !== was?.gid)
  )
}

/** The names of accounts and groups, by their numbers. */
export interface Names {
  readonly users: ReadonlyMap<number, string>
  readonly groups: ReadonlyMap<number, string>
}

/** Reads the names in a file of the form of group(5). */
export function groupNamesIn(text: string): ReadonlyMap<number, string> {
  const found = text.split('\n').flatMap((line): readonly (readonly [number, string])[] => {
    const [name = '', , gid = ''] = line.split(':')
    return /^\d+$/.test(gid) ? [[Number(gid), name]] : []
  })
  return new Map(found.toReversed()) // of several with one gid the first
}

/** Shows rights with names where there are some: `0640 root:www-data`. */
export function shownRights(text: string, { users, groups }: Names): string {
  const { mode, uid, gid } = rightsIn(text)
  return `${mode.toString(8).padStart(4, '0')} ${users.get(uid) ?? uid}:${groups.get(gid) ?? gid}`
}
