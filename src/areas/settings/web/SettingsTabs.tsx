import { PageTabs } from '../../../web/kit/PageTabs.tsx'

const tabs = [
  { to: '/settings', label: 'Panel' },
  { to: '/settings/host', label: 'Host' },
  { to: '/settings/mail', label: 'Mail relay' },
  { to: '/settings/php', label: 'PHP' },
  { to: '/backups/settings', label: 'Backups' },
  { to: '/settings/mailboxes', label: 'Mailboxes' },
  { to: '/settings/licence', label: 'Licence' },
  { to: '/settings/updates', label: 'Panel updates' },
]

/** The pages of the settings, by their subject. */
export const SettingsTabs = () => <PageTabs label="Pages of the settings" tabs={tabs} />
