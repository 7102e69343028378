/** The groups of the menu in their order; the entries of the first have no heading. */
export const menuGroups = ['', 'Hosting', 'Network', 'Server', 'Security', 'Agents'] as const
export type MenuGroup = (typeof menuGroups)[number]

/** The largest number of entries in a group. */
export const mostEntries = 8
