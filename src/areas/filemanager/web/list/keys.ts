/** Returns the row that a key moves to; undefined for other keys. */
export function rowAfter(
  key: string,
  active: number,
  count: number,
  rowsAScreen: number,
): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + rowsAScreen,
    PageUp: active - rowsAScreen,
    Home: 0,
    End: count - 1,
  }
  const to = moves[key]
  return to === undefined || count === 0 ? undefined : Math.min(count - 1, Math.max(0, to))
}

/** Returns true if a key types a character, so that a list can jump to a name. */
export function isTyped({
  key,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): boolean {
  return key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
}
