import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { Listing } from './listing.ts'
import { focusRow, type RowsWindow } from './rows-window.ts'
import type { Selection } from './selection.ts'

interface Stood {
  readonly folder: string
  readonly path: string | undefined
}

const mostLooked = 2000
const expectedMs = 10_000

/** Where the keyboard stood in the list that was left last. */
let left: Stood | undefined

/** An entry that is about to be in the list, as after it was renamed. */
let expected: { readonly path: string; readonly until: number } | undefined

/** Lets the keyboard go to an entry as soon as the list has it. */
export function expectEntry(path: string): void {
  expected = { path, until: performance.now() + expectedMs }
}

/** Notes where the keyboard stands in a list that is being left. */
export function leaveList(stood: Stood): void {
  left = stood
}

/** Whether the keyboard came along from a list that was left; asked once. */
export function takeArrival(): Stood | undefined {
  const came = left
  left = undefined
  return came
}

/** Lets the keyboard go along into another folder: to its first entry, or on the way back to the entry that it came from. */
export function useArrival(listing: Listing, selection: Selection, rows: RowsWindow): void {
  const { folder } = listing
  const { box } = rows
  const stood: Stood = { folder, path: listing.at(selection.active)?.path }
  const last = useRef({ stood, box })
  const go = (index: number) => {
    selection.go(index)
    focusRow(rows, index)
  }
  const arrive = useEffectEvent(() => {
    const came = takeArrival()
    if (came) go(Math.max(0, indexOf(listing, [came.folder, came.path])))
  })
  useLayoutEffect(() => {
    if (box !== null) arrive()
    return () => {
      const { current } = last
      if (current.box?.contains(document.activeElement)) leaveList(current.stood)
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

function indexOf(listing: Listing, paths: readonly (string | undefined)[]): number {
  for (let index = 0; index < Math.min(listing.count, mostLooked); index++) {
    if (paths.includes(listing.at(index)?.path ?? '/')) return index
  }
  return -1
}
