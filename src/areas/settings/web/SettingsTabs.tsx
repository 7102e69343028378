import { PageTabs } from '../../../web/kit/PageTabs.tsx'

const tabs = [
  { to: '/settings', label: 'Panel' },
  { to: '/settings/certificate', label: 'Certificate' },
  { to: '/settings/host', label: 'Host' },
  { to: '/settings/webserver', label: 'Web server' },
  { to: '/settings/mail', label: 'Mail relay' },
  { to: '/settings/remote-logging', label: 'Remote logging' },
  { to: '/settings/ssh-audit', label: 'SSH audit' },
  { to: '/settings/php', label: 'PHP' },
  { to: '/settings/storage', label: 'Storage' },
  { to: '/backups/settings', label: 'Backups' },
  { to: '/settings/mailboxes', label: 'Mailboxes' },
  { to: '/settings/snapshots', label: 'Snapshots' },
  { to: '/settings/drift', label: 'Drift' },
  { to: '/settings/manifest', label: 'Manifest' },
  { to: '/settings/licence', label: 'Licence' },
  { to: '/settings/updates', label: 'Panel updates' },
]

/** The pages of the settings, by their subject. */
export const SettingsTabs = () => <PageTabs label="Pages of the settings" tabs={tabs} />
