import { IconChevronRight, IconDots, IconFolderFilled, IconHome } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Moving } from '../list/moving.ts'
import { shown } from '../names.ts'
import { crumbsOf, nameOf, parentOf } from '../paths.ts'
import { type Subfolders, subfolders, type Whose } from '../queries.ts'
import { type Branch, branchesOf } from './branches.ts'
import classes from './tree.module.css'

interface FolderTreeProps {
  readonly whose: Whose
  readonly path: string
  readonly label: string
  readonly showHidden: boolean
  readonly onChoose: (path: string) => void
  readonly takesFocus?: boolean
  readonly moving?: Moving
}

/** The folder tree of a home; each folder is read when it is opened. */
export function FolderTree({
  whose,
  path,
  label,
  showHidden,
  onChoose,
  moving,
  takesFocus = false,
}: FolderTreeProps) {
  const { branches, toggle, showMore } = useBranches(whose, path, showHidden)
  const [active, setActive] = useState(path)
  const box = useRef<HTMLDivElement>(null)
  const isMoved = useRef(false)
  useEffect(() => setActive(path), [path])
  useEffect(() => {
    if (!isMoved.current) return
    isMoved.current = false
    box.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  })
  const go = (to: string | undefined) => {
    if (to === undefined) return
    isMoved.current = true
    setActive(to)
  }
  const choose = (branch: Branch) => {
    if (branch.shownOf === undefined) return onChoose(branch.path)
    showMore(branch.shownOf.folder)
    go(branches[branches.indexOf(branch) - 1]?.path) // this line disappears when there are no more
  }
  const at = branches.findIndex((branch) => branch.path === active)
  const keys = (event: KeyboardEvent) => {
    const branch = branches[at]
    if (branch === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(branches[at + 1]?.path),
      ArrowUp: () => go(branches[at - 1]?.path),
      Home: () => go(''),
      End: () => go(branches.at(-1)?.path),
      ArrowRight: () =>
        branch.isOpen ? go(branches[at + 1]?.path) : branch.shownOf === undefined && toggle(branch.path),
      ArrowLeft: () =>
        branch.isOpen && branch.path !== ''
          ? toggle(branch.path)
          : go(branch.path === '' ? undefined : (branch.shownOf?.folder ?? parentOf(branch.path))),
      Enter: () => choose(branch),
      ' ': () => choose(branch),
    }
    const move = moves[event.key]
    if (move === undefined) return
    event.preventDefault()
    move()
  }
  const first = at < 0 ? '' : active // the line that loads more disappears once they are loaded
  return (
    <div ref={box} role="tree" aria-label={label} className={classes.tree} tabIndex={-1}>
      {branches.map((branch) => (
        <TreeNode
          key={branch.path}
          branch={branch}
          isHere={branch.path === path}
          tabIndex={branch.path === first ? 0 : -1}
          onChoose={() => choose(branch)}
          onToggle={() => toggle(branch.path)}
          onFocus={() => setActive(branch.path)}
          onKeyDown={keys}
          moving={moving}
          takesFocus={takesFocus}
        />
      ))}
    </div>
  )
}

interface TreeNodeProps {
  readonly branch: Branch
  readonly isHere: boolean
  readonly tabIndex: number
  readonly onChoose: () => void
  readonly onToggle: () => void
  readonly onFocus: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly moving: Moving | undefined
  readonly takesFocus: boolean
}

function TreeNode({
  branch,
  isHere,
  tabIndex,
  onChoose,
  onToggle,
  onFocus,
  onKeyDown,
  moving,
  takesFocus,
}: TreeNodeProps) {
  const { path, depth, isOpen, mayHaveMore, shownOf } = branch
  const Icon = shownOf !== undefined ? IconDots : path === '' ? IconHome : IconFolderFilled
  return (
    <div
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isHere}
      {...(mayHaveMore && { 'aria-expanded': isOpen })}
      tabIndex={tabIndex}
      {...(takesFocus && tabIndex === 0 && { 'data-autofocus': true })}
      className={classes.node}
      data-here={isHere}
      data-into={moving?.over === path}
      style={{ paddingLeft: 4 + depth * 16 }}
      onClick={({ target }) =>
        mayHaveMore && target instanceof Element && target.closest('[data-twist]') ? onToggle() : onChoose()
      }
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      {...(shownOf === undefined && moving?.ofFolder(path))}
    >
      <span className={classes.twist} data-open={isOpen} data-twist>
        {mayHaveMore && <IconChevronRight size={14} aria-hidden />}
      </span>
      <Icon size={17} stroke={1.7} aria-hidden className={classes.icon} />
      <span className={classes.label}>
        {shownOf
          ? `${shownOf.count.toLocaleString('en')} shown; show more`
          : path === ''
            ? 'Home'
            : shown(nameOf(path))}
      </span>
    </div>
  )
}

/** Keeps the open folders: the ancestors of the selected one and those that the reader opens. */
function useBranches(whose: Whose, path: string, showHidden: boolean) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(['']))
  useEffect(() => {
    const above = crumbsOf(path).map((crumb) => crumb.path)
    setOpen((before) => new Set([...before, ...above.slice(0, -1)]))
  }, [path])
  const folders = [...open]
  const [pages, setPages] = useState<ReadonlyMap<string, number>>(new Map())
  const wanted = folders.flatMap((folder) =>
    Array.from({ length: pages.get(folder) ?? 1 }, (_, index) => ({ folder, page: index + 1 })),
  )
  const read = useQueries({ queries: wanted.map(({ folder, page }) => subfolders(whose, folder, page)) })
  const children = new Map<string, Subfolders>()
  for (const [index, { folder }] of wanted.entries()) {
    const more = read[index]?.data
    if (more)
      children.set(folder, {
        items: [...(children.get(folder)?.items ?? []), ...more.items],
        isCut: more.isCut,
      })
  }
  const toggle = (folder: string) =>
    setOpen((before) => {
      const after = new Set(before)
      if (!after.delete(folder)) after.add(folder)
      return after
    })
  const showMore = (folder: string) =>
    setPages((before) => new Map(before).set(folder, (before.get(folder) ?? 1) + 1))
  return { branches: branchesOf(open, children, showHidden), toggle, showMore }
}
