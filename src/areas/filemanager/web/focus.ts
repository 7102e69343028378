import { type RefObject, useEffect, useRef } from 'react'

/** Gives an element that the reader has just asked for the focus, once. */
export function useFocusOnce<Focusable extends HTMLElement>(): RefObject<Focusable | null> {
  const ref = useRef<Focusable>(null)
  useEffect(() => ref.current?.focus(), [])
  return ref
}
