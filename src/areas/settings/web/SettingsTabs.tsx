import { PageTabs } from '../../../web/kit/PageTabs.tsx'

const tabs = [
  { to: '/settings', label: 'Panel' },
  { to: '/settings/host', label: 'Host' },
]

/** The pages of the settings, by their subject. */
export const SettingsTabs = () => <PageTabs label="Pages of the settings" tabs={tabs} />
