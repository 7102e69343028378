import { type RefObject, useLayoutEffect } from 'react'

/**
 * Keeps the distance of an element from the top of the page in its `--above`, so that CSS can give it the height
 * that is left below.
 */
export function useHeightBelow(ref: RefObject<HTMLElement | null>, isOn: boolean): void {
  useLayoutEffect(() => {
    const element = ref.current
    if (!isOn || !element) return
    const measure = () => {
      const above = element.getBoundingClientRect().top + window.scrollY
      element.style.setProperty('--above', `${Math.round(above)}px`)
    }
    measure()
    window.addEventListener('resize', measure)
    return () => window.removeEventListener('resize', measure)
  }, [ref, isOn])
}
