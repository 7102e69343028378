import type { Item, Subfolders } from '../queries.ts'

/** One line of a folder tree. */
export interface Branch {
  readonly path: string
  readonly depth: number
  readonly isOpen: boolean
  /** It may have subfolders; certain only once it was opened. */
  readonly mayHaveMore: boolean
  /** Set on the line that loads more folders: the number of folders read so far. */
  readonly shownOf?: { readonly folder: string; readonly count: number }
}

const text = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Returns the lines of a tree, from the home down. */
export function branchesOf(
  open: ReadonlySet<string>,
  children: ReadonlyMap<string, Subfolders>,
  showHidden: boolean,
  path = '',
  depth = 0,
): readonly Branch[] {
  const isOpen = open.has(path)
  const known = children.get(path)
  const within = (known?.items ?? []).filter(({ name }) => showHidden || !name.startsWith('.'))
  const isCut = known?.isCut === true
  const isEmpty = known !== undefined && within.length === 0 && !isCut
  const line: Branch = { path, depth, isOpen: isOpen && !isEmpty, mayHaveMore: !isEmpty }
  if (!isOpen) return [line]
  const below = within.toSorted((a, b) => text.compare(a.label, b.label))
  const more: readonly Branch[] = isCut ? [moreOf(path, depth + 1, within)] : []
  return [
    line,
    ...below.flatMap((item) => branchesOf(open, children, showHidden, item.path, depth + 1)),
    ...more,
  ]
}

/** A path that no folder can have: it ends in a slash. */
function moreOf(folder: string, depth: number, shown: readonly Item[]): Branch {
  return {
    path: `${folder}/`,
    depth,
    isOpen: false,
    mayHaveMore: false,
    shownOf: { folder, count: shown.length },
  }
}
