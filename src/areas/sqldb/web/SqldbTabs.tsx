import { PageTabs } from '../../../web/kit/PageTabs.tsx'

const tabs = [
  { to: '/sqldb', label: 'Overview' },
  { to: '/sqldb/processes', label: 'Connections' },
  { to: '/sqldb/slow-log', label: 'Slow statements' },
  { to: '/sqldb/tuner', label: 'Advice' },
  { to: '/sqldb/replication', label: 'Replication' },
  { to: '/sqldb/settings', label: 'Settings' },
  { to: '/webadmin', label: 'Web admin' },
  { to: '/docdb-server', label: 'Document server' },
]

/** The pages of the SQL server, by their subject. */
export const SqldbTabs = () => <PageTabs label="Pages of the SQL server" tabs={tabs} />
