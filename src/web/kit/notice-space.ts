import { type RefObject, useEffect, useRef } from 'react'

const gapPx = 24

/**
 * Keeps `--notices` at the height that the notices cover at the bottom of the window, so that pages, dialogs and
 * docks leave it free; returns the ref of the region.
 */
export function useNoticeSpace(): RefObject<HTMLDivElement | null> {
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.contentRect.height ?? 0
      style.setProperty('--notices', `${height === 0 ? 0 : height + gapPx}px`)
    })
    if (region.current) observer.observe(region.current)
    return () => {
      observer.disconnect()
      style.removeProperty('--notices')
    }
  }, [])
  return region
}
