import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let zone: string | undefined

/** Sets the time zone in which the panel shows times; null for that of the browser. */
export function showTimesIn(name: string | null): void {
  const next = name ?? undefined
  if (next === zone) return
  zone = next
  for (const listener of listeners) listener()
}

/** Returns the time zone in which times are shown; undefined for that of the browser. */
export const shownTimeZone = (): string | undefined => zone

/** Renders the component again when the time zone changes. */
export const useTimeZone = (): string | undefined => useSyncExternalStore(subscribe, shownTimeZone)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
