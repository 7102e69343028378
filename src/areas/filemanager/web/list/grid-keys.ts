import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ActionId } from '../actions/actions.ts'
import type { EntryGridProps } from './EntryGrid.tsx'
import { isTyped, rowAfter } from './keys.ts'
import { focusRow } from './rows-window.ts'

const typingMs = 900
const acts: Readonly<Record<string, ActionId>> = { F2: 'rename', Delete: 'delete', Enter: 'open' }
const ctrlActs: Readonly<Record<string, ActionId>> = { x: 'move', c: 'copy' }

/** Actions on the active row, regardless of the selection. */
const forOne: ReadonlySet<ActionId> = new Set(['open', 'rename'])

/** Handles the keys of the list: move, select, open, rename, delete, open the menu, jump to a name. */
// oxlint-disable-next-line max-lines-per-function -- one hook over shared state
export function useGridKeys({ listing, selection, rows, onAct, onMenu, onUp }: EntryGridProps) {
  const [moved, setMoved] = useState<{ readonly to: number }>()
  const focus = useEffectEvent((index: number) => focusRow(rows, index))
  useEffect(() => {
    if (moved) focus(moved.to)
  }, [moved])
  const typed = useRef({ text: '', at: 0 })
  const moveTo = (index: number, isExtending: boolean) => {
    setMoved({ to: index })
    if (isExtending) selection.upTo(index)
    else selection.go(index)
  }
  const alone = () => {
    const item = listing.at(selection.active)
    return item ? [item] : []
  }
  const current = () => (selection.items.length > 0 ? selection.items : alone())
  const jump = (key: string) => {
    const now = performance.now()
    typed.current = {
      text: (now - typed.current.at > typingMs ? '' : typed.current.text) + key.toLocaleLowerCase(),
      at: now,
    }
    const { text } = typed.current
    const start = text.length === 1 ? selection.active + 1 : selection.active
    for (let step = 0; step < listing.count; step++) {
      const index = (start + step) % listing.count
      if (listing.at(index)?.label.toLocaleLowerCase().startsWith(text)) return moveTo(index, false)
    }
  }
  const askMenu = (row: Element) => {
    const { left, bottom } = row.getBoundingClientRect()
    onMenu({ x: left + 48, y: bottom - 6, items: current() })
  }
  return (event: KeyboardEvent) => {
    const { target } = event
    if (!(target instanceof HTMLElement)) return
    const row = target.closest('[data-row]')
    const isOnRow = row === target
    if (row === null) return
    const index = rowAfter(event.key, selection.active, listing.count, rows.rowsAScreen)
    const isCtrl = event.ctrlKey || event.metaKey
    const act = isCtrl ? ctrlActs[event.key.toLowerCase()] : acts[event.key]
    const isMenu = event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)
    const done = () => event.preventDefault()
    if (index !== undefined && !event.altKey) return (done(), moveTo(index, event.shiftKey))
    if (event.key === 'Enter' && event.altKey) return (done(), onAct('details', alone()))
    if (isMenu) return (done(), askMenu(row))
    if (event.key === ' ' && isOnRow) return (done(), selection.toggle(selection.active))
    if (isCtrl && event.key.toLowerCase() === 'a') return (done(), selection.all())
    if (event.key === 'Escape' && selection.items.length > 0) return (done(), selection.clear())
    if (event.key === 'Backspace' || (event.key === 'ArrowUp' && event.altKey)) return (done(), onUp())
    if (act !== undefined && (isOnRow || event.key !== 'Enter'))
      return (done(), onAct(act, forOne.has(act) ? alone() : current()))
    if (isOnRow && isTyped(event)) return (done(), jump(event.key))
  }
}
