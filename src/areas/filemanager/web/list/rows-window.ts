import { type UIEvent, useEffect, useState } from 'react'

const spareRows = 8
const firstHeight = 600

/** The visible rows of a long list. */
export interface RowsWindow {
  readonly box: HTMLDivElement | null
  readonly setBox: (box: HTMLDivElement | null) => void
  readonly rowHeight: number
  readonly headHeight: number
  readonly first: number
  readonly last: number
  /** The scroll position, in pixels. */
  readonly top: number
  readonly rowsAScreen: number
  readonly onScroll: (event: UIEvent) => void
}

/** Tracks which rows of a fixed height are visible in a scrolled element. */
export function useRowsWindow(rowHeight: number, headHeight: number): RowsWindow {
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const [height, setHeight] = useState(firstHeight)
  const [top, setTop] = useState(0)
  useEffect(() => {
    if (box === null) return
    setTop(box.scrollTop)
    const observer = new ResizeObserver(() => setHeight(box.clientHeight))
    observer.observe(box)
    return () => observer.disconnect()
  }, [box])
  const rowsAScreen = Math.max(1, Math.floor((height - headHeight) / rowHeight))
  const firstSeen = Math.floor(top / rowHeight)
  return {
    box,
    setBox,
    rowHeight,
    headHeight,
    first: Math.max(0, firstSeen - spareRows),
    last: firstSeen + rowsAScreen + spareRows,
    top,
    rowsAScreen,
    onScroll: ({ currentTarget }) => setTop(currentTarget.scrollTop),
  }
}

/** Scrolls a row into view with as little movement as possible and focuses it. */
export function focusRow({ box, rowHeight, headHeight }: RowsWindow, index: number): void {
  if (box === null) return
  const from = index * rowHeight
  const space = box.clientHeight - headHeight
  if (from < box.scrollTop) box.scrollTo({ top: from })
  if (from + rowHeight > box.scrollTop + space) box.scrollTo({ top: from + rowHeight - space })
  box.querySelector<HTMLElement>(`[data-row="${index}"]`)?.focus({ preventScroll: true })
}
