import { useState } from 'react'
import type { Item } from '../queries.ts'
import type { Listing } from './listing.ts'

const none: ReadonlyMap<string, Item> = new Map()

/** The selection in a folder, and the active row of the keyboard. */
export interface Selection {
  readonly items: readonly Item[]
  readonly active: number
  readonly has: (item: Item | undefined) => boolean
  /** Selects only one row. */
  readonly only: (index: number) => void
  readonly toggle: (index: number) => void
  /** Extends the selection from its anchor to a row. */
  readonly upTo: (index: number) => void
  readonly all: () => void
  readonly clear: () => void
  /** Moves the keyboard without selecting, and sets the anchor of the next range. */
  readonly go: (index: number) => void
  /** Records the row that received the focus. */
  readonly stand: (index: number) => void
}

/** The maximum number of selected rows, which is the panel's limit of paths per call. */
export const mostChosen = 10_000

/** Keeps the selection in one folder and clears it when the folder changes. */
// oxlint-disable-next-line max-lines-per-function -- one hook over shared state
export function useSelection(listing: Listing): Selection {
  const [chosen, setChosen] = useState(none)
  const [active, setActive] = useState(0)
  const [anchor, setAnchor] = useState(0)
  const [folder, setFolder] = useState(listing.folder)
  if (folder !== listing.folder) {
    setFolder(listing.folder)
    setChosen(none)
    setActive(0)
    setAnchor(0)
  }
  const items = [...chosen.values()].flatMap((item) => listing.latest(item) ?? [])
  const choose = (items: readonly Item[]) => setChosen(new Map(items.map((item) => [item.name, item])))
  const span = (from: number, to: number) =>
    void listing
      .between(Math.min(from, to), Math.min(Math.max(from, to), Math.min(from, to) + mostChosen - 1))
      .then(choose)
  return {
    items,
    active: Math.min(active, Math.max(0, listing.count - 1)),
    has: (item) => item !== undefined && chosen.has(item.name),
    only: (index) => {
      const item = listing.at(index)
      choose(item ? [item] : [])
      setActive(index)
      setAnchor(index)
    },
    toggle: (index) => {
      const item = listing.at(index)
      if (item)
        choose(
          chosen.has(item.name)
            ? [...chosen.values()].filter(({ name }) => name !== item.name)
            : [...chosen.values(), item],
        )
      setActive(index)
      setAnchor(index)
    },
    upTo: (index) => {
      span(anchor, index)
      setActive(index)
    },
    all: () => span(0, listing.count - 1),
    clear: () => setChosen(none),
    stand: setActive,
    go: (index) => {
      setActive(index)
      setAnchor(index)
    },
  }
}
