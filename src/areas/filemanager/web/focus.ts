import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Focuses an element that the reader has just opened, once. */
export function useFocusOnce<Focusable extends HTMLElement>(): RefObject<Focusable | null> {
  const ref = useRef<Focusable>(null)
  useLayoutEffect(() => ref.current?.focus(), [])
  return ref
}
