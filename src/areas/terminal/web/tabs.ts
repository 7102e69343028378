import type { Wanted } from './connection.ts'

/** A tab of the page. */
export interface Tab extends Wanted {
  readonly key: number
  readonly label: string
  /** The terminal that the tab shows, once it was opened. */
  readonly terminal?: string
}

const storedAs = 'hostreeve.terminals'

/** The tabs of this window before the page was loaded again: their terminals are kept for two minutes. */
export function storedTabs(): readonly Tab[] {
  try {
    return JSON.parse(sessionStorage.getItem(storedAs) ?? '[]') as readonly Tab[]
  } catch {
    return []
  }
}

/** Keeps the tabs for this window. */
export function storeTabs(tabs: readonly Tab[]): void {
  sessionStorage.setItem(storedAs, JSON.stringify(tabs))
}

/** Adds a tab behind the others. */
export function withTab(tabs: readonly Tab[], wanted: Wanted, account: string): readonly Tab[] {
  const key = 1 + Math.max(0, ...tabs.map((tab) => tab.key))
  return [...tabs, { ...wanted, key, label: `${account} ${key}` }]
}
