import { FeatureDisabled, PluginDisabled } from '../../core/problem.ts'

export const feature = 'mailbox_backup'
export const plugin = 'mailbox-backup'

interface Switches {
  isLicensed(feature: string): boolean
  isPluginOn(): boolean
}

/** Throws FeatureDisabled or PluginDisabled, as a request would be refused. */
export function assertSwitchedOn({ isLicensed, isPluginOn }: Switches): void {
  if (!isLicensed(feature)) throw FeatureDisabled(`The feature ${feature} is not licensed`)
  if (!isPluginOn()) throw PluginDisabled(`The plugin ${plugin} is disabled: a superuser can enable it`)
}
