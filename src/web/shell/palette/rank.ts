/** An entry of the command palette. */
export interface PaletteEntry {
  readonly key: string
  readonly title: string
  readonly note?: string | undefined
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
}

/** Returns the entries whose title contains every word of the text; those that begin with it come first. */
export function rank(entries: readonly PaletteEntry[], text: string): readonly PaletteEntry[] {
  const typed = text.trim().toLowerCase()
  const parts = typed.split(/\s+/)
  return entries
    .map((entry) => ({ entry, title: entry.title.toLowerCase() }))
    .filter(({ title }) => parts.every((part) => title.includes(part)))
    .toSorted((a, b) => distance(a.title, typed) - distance(b.title, typed))
    .map(({ entry }) => entry)
}

function distance(title: string, typed: string): number {
  if (title.startsWith(typed)) return 0
  return title.includes(` ${typed}`) ? 1 : 2
}
