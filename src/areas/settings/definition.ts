/** The groups of the settings, in the order of the page. */
export const settingGroups = [
  'Access',
  'Storage',
  'File history',
  'Outbound connections',
  'Services',
  'Monitoring',
] as const
export type SettingGroup = (typeof settingGroups)[number]

/** One setting of the panel. */
export interface Definition {
  readonly name: string
  readonly title: string
  readonly group: SettingGroup
  readonly fallback: string
  readonly meaning: string
  readonly isSecret?: true
  /** Its values, if there are only a few. */
  readonly choices?: readonly [string, ...string[]]
  /** The largest value of a whole number. */
  readonly most?: number
  /** The smallest value of a whole number; 0 if absent. */
  readonly least?: number
  /** A table of config.toml in which the setting may be, besides the top of the file. */
  readonly table?: string
  /** True if only the first start of a panel reads it, when it creates the first superuser. */
  readonly isForFirstStart?: true
}
