import { type RefObject, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { isWithin } from '../paths.ts'
import type { Listing } from './listing.ts'
import { focusRow, type RowsWindow } from './rows-window.ts'
import type { Selection } from './selection.ts'

/** A reader's position in a list. */
interface Stood {
  /** The owner and folder of the list. */
  readonly owner: string
  readonly folder: string
  readonly index: number
  readonly path: string | undefined
  readonly top: number
}

interface Left extends Stood {
  /** The list had the keyboard focus, which follows into the next list. */
  readonly hadKeyboard: boolean
}

const mostLooked = 2000
const mostKept = 100
const expectedMs = 10_000
const pageFocusMs = 400

/** The list that was left last. */
let left: Left | undefined

/** Positions in lists, by owner and folder. */
const places = new Map<string, Stood>()

/** An entry that is expected in the list, such as after a rename. */
let expected: { readonly path: string; readonly until: number } | undefined

/** Moves the focus to an entry as soon as the list contains it. */
export function expectEntry(path: string): void {
  expected = { path, until: performance.now() + expectedMs }
}

/** Records that the keyboard focus leaves an empty folder. */
export function leaveEmpty(folder: string): void {
  left = { owner: '', folder, index: 0, path: undefined, top: 0, hadKeyboard: true }
}

/** Returns the list that was left last and forgets it. */
export function takeArrival(): Left | undefined {
  const came = left
  left = undefined
  return came
}

/**
 * Moves the keyboard focus along into another folder: to its first entry, or on the way back to the entry that
 * it came from. The list that was left last, for example for a file, is restored as it was.
 */
// oxlint-disable-next-line max-lines-per-function -- one hook over shared state
export function useArrival(owner: string, listing: Listing, selection: Selection, rows: RowsWindow): void {
  const { folder } = listing
  const { box } = rows
  const stood: Stood = {
    owner,
    folder,
    index: selection.active,
    path: listing.at(selection.active)?.path,
    top: rows.top,
  }
  const last = useRef({ stood, box })
  const hasKeyboard = useHasKeyboard(box)
  const [moved, setMoved] = useState<{ readonly to: number }>()
  const focus = useEffectEvent((index: number) => focusRow(rows, index))
  useLayoutEffect(() => {
    if (moved) focus(moved.to) // a distant row is rendered only now
  }, [moved])
  const go = (index: number) => {
    selection.go(index)
    setMoved({ to: index })
  }
  const arrive = useEffectEvent(() => {
    const came = takeArrival()
    if (came === undefined) return
    const known = places.get(keyOf({ owner, folder }))
    const isBack = came.owner === owner && came.folder === folder
    const isUp = came.folder !== folder && isWithin(came.folder, folder)
    if (known && (isBack || isUp)) box?.scrollTo({ top: known.top })
    const index = isBack ? indexOfPlace(listing, came) : Math.max(0, indexOf(listing, [came.folder]))
    if (!came.hadKeyboard) return selection.go(index)
    go(index)
    return keepFocus(() => setMoved({ to: index }))
  })
  useLayoutEffect(() => {
    const stop = box === null ? undefined : arrive()
    return () => {
      stop?.()
      const { current } = last
      if (current.box === null) return
      keep(current.stood)
      left = { ...current.stood, hadKeyboard: hasKeyboard.current }
    }
  }, [folder, box])
  useLayoutEffect(() => {
    last.current = { stood, box }
    if (expected === undefined || box === null) return
    const index = indexOf(listing, [expected.path])
    if (index < 0 && performance.now() < expected.until) return
    expected = undefined
    if (index >= 0) go(index)
  })
}

/**
 * Tracks whether the list has the focus; losing it to a page that was opened from the list does not count, because
 * the page takes the focus before the list unmounts.
 */
function useHasKeyboard(box: HTMLElement | null): RefObject<boolean> {
  const has = useRef(false)
  useLayoutEffect(() => {
    const come = () => void (has.current = true)
    const go = ({ relatedTarget }: FocusEvent) =>
      void (has.current = relatedTarget instanceof Element && relatedTarget.id === 'content')
    box?.addEventListener('focusin', come)
    box?.addEventListener('focusout', go)
    return () => {
      box?.removeEventListener('focusin', come)
      box?.removeEventListener('focusout', go)
    }
  }, [box])
  return has
}

const keyOf = ({ owner, folder }: Pick<Stood, 'owner' | 'folder'>): string => JSON.stringify([owner, folder])

function keep(stood: Stood): void {
  places.delete(keyOf(stood))
  places.set(keyOf(stood), stood)
  for (const oldest of [...places.keys()].slice(0, -mostKept)) places.delete(oldest)
}

/** A new page takes the focus when it is rendered; the list then takes it back to the known position. */
function keepFocus(focus: () => void): () => void {
  const page = document.querySelector<HTMLElement>('#content')
  const stop = () => page?.removeEventListener('focus', focus)
  page?.addEventListener('focus', focus, { once: true })
  const timer = setTimeout(stop, pageFocusMs)
  return () => {
    clearTimeout(timer)
    stop()
  }
}

/** Finds the current position of an entry; in a long list its row may not be loaded yet. */
function indexOfPlace(listing: Listing, { index, path }: Stood): number {
  const found = path === undefined ? -1 : indexOf(listing, [path])
  return found >= 0 ? found : Math.min(index, Math.max(0, listing.count - 1))
}

function indexOf(listing: Listing, paths: readonly (string | undefined)[]): number {
  for (let index = 0; index < Math.min(listing.count, mostLooked); index++) {
    if (paths.includes(listing.at(index)?.path ?? '/')) return index
  }
  return -1
}
