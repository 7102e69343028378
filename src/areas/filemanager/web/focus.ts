import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Gives an element that the reader has just asked for the focus, once. */
export function useFocusOnce<Focusable extends HTMLElement>(): RefObject<Focusable | null> {
  const ref = useRef<Focusable>(null)
  useLayoutEffect(() => ref.current?.focus(), [])
  return ref
}
