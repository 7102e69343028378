import type { Item } from '../queries.ts'

/** One line of a tree of folders. */
export interface Branch {
  readonly path: string
  readonly depth: number
  readonly isOpen: boolean
  /** Whether there may be folders in it: known once it was opened. */
  readonly mayHaveMore: boolean
}

const words = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** The lines of a tree, from the home down. */
export function branchesOf(
  open: ReadonlySet<string>,
  children: ReadonlyMap<string, readonly Item[] | undefined>,
  showHidden: boolean,
  path = '',
  depth = 0,
): readonly Branch[] {
  const isOpen = open.has(path)
  const within = (children.get(path) ?? []).filter(({ name }) => showHidden || !name.startsWith('.'))
  const isKnown = children.get(path) !== undefined
  const line: Branch = { path, depth, isOpen: isOpen && (within.length > 0 || !isKnown), mayHaveMore: !isKnown || within.length > 0 }
  if (!isOpen) return [line]
  const below = within.toSorted((a, b) => words.compare(a.label, b.label))
  return [line, ...below.flatMap((item) => branchesOf(open, children, showHidden, item.path, depth + 1))]
}
