import { IconChevronRight, IconFolderFilled, IconHome } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Moving } from '../list/moving.ts'
import { shown } from '../names.ts'
import { crumbsOf, nameOf, parentOf } from '../paths.ts'
import { subfolders, type Whose } from '../queries.ts'
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

/** The folders of a home; each is read when it is opened. */
export function FolderTree({ whose, path, label, showHidden, onChoose, moving, takesFocus = false }: FolderTreeProps) {
  const { branches, toggle } = useBranches(whose, path, showHidden)
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
  const at = branches.findIndex((branch) => branch.path === active)
  const keys = (event: KeyboardEvent) => {
    const branch = branches[at]
    if (branch === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(branches[at + 1]?.path),
      ArrowUp: () => go(branches[at - 1]?.path),
      Home: () => go(''),
      End: () => go(branches.at(-1)?.path),
      ArrowRight: () => (branch.isOpen ? go(branches[at + 1]?.path) : toggle(branch.path)),
      ArrowLeft: () => (branch.isOpen && branch.path !== '' ? toggle(branch.path) : go(branch.path === '' ? undefined : parentOf(branch.path))),
      Enter: () => onChoose(branch.path),
      ' ': () => onChoose(branch.path),
    }
    const move = moves[event.key]
    if (move === undefined) return
    event.preventDefault()
    move()
  }
  const first = at < 0 ? '' : active
  return (
    <div ref={box} role="tree" aria-label={label} className={classes.tree} tabIndex={-1}>
      {branches.map((branch) => (
        <TreeNode
          key={branch.path}
          branch={branch}
          isHere={branch.path === path}
          tabIndex={branch.path === first ? 0 : -1}
          onChoose={() => onChoose(branch.path)}
          onToggle={() => toggle(branch.path)}
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
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly moving: Moving | undefined
  readonly takesFocus: boolean
}

function TreeNode({ branch, isHere, tabIndex, onChoose, onToggle, onKeyDown, moving, takesFocus }: TreeNodeProps) {
  const { path, depth, isOpen, mayHaveMore } = branch
  const Icon = path === '' ? IconHome : IconFolderFilled
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
      onClick={({ target }) => (mayHaveMore && target instanceof Element && target.closest('[data-twist]') ? onToggle() : onChoose())}
      onKeyDown={onKeyDown}
      {...moving?.ofFolder(path)}
    >
      <span className={classes.twist} data-open={isOpen} data-twist>
        {mayHaveMore && <IconChevronRight size={14} aria-hidden />}
      </span>
      <Icon size={17} stroke={1.7} aria-hidden className={classes.icon} />
      <span className={classes.label}>{path === '' ? 'Home' : shown(nameOf(path))}</span>
    </div>
  )
}

/** Which folders are open: those above the chosen one, and those that the reader opens. */
function useBranches(whose: Whose, path: string, showHidden: boolean) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(['']))
  useEffect(() => {
    const above = crumbsOf(path).map((crumb) => crumb.path)
    setOpen((before) => new Set([...before, ...above.slice(0, -1)]))
  }, [path])
  const folders = [...open]
  const read = useQueries({ queries: folders.map((folder) => subfolders(whose, folder)) })
  const children = new Map(folders.map((folder, index) => [folder, read[index]?.data] as const))
  const toggle = (folder: string) =>
    setOpen((before) => {
      const after = new Set(before)
      if (!after.delete(folder)) after.add(folder)
      return after
    })
  return { branches: branchesOf(open, children, showHidden), toggle }
}
