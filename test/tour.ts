/** What the picture of an area shows: a page that a browser suite looks at, by its title, or one of a panel that looks used. */
export type Source = { readonly suite: string; readonly title: string } | { readonly path: string }

/** The pictures of docs/tour.md, one of each area that has a page. */
export const pictures: Readonly<Record<string, Source>> = {
  activity: { path: '/activity' },
  ai: { suite: 'assistant', title: 'assistant' },
  aipartner: { suite: 'aipartner', title: 'chat' },
  applications: { suite: 'applications', title: 'the applications with one' },
  auth: { suite: 'account', title: 'account' },
  authdns: { suite: 'authdns', title: 'the records of a zone' },
  backups: { path: '/backups/settings' },
  certificates: { path: '/websites/$id/certificate' },
  containers: { suite: 'containers', title: 'containers' },
  crontab: { suite: 'websites', title: 'the crontab of a website' },
  dashboard: { path: '/dashboard' },
  databases: { suite: 'databases', title: 'the databases of a website' },
  dnslb: { suite: 'dnslb', title: 'the rules' },
  'docdb-server': { suite: 'docdb-server', title: 'docdb-server' },
  drift: { suite: 'drift', title: 'drift' },
  filemanager: { suite: 'files', title: 'a folder with a selection' },
  firewall: { suite: 'firewall', title: 'firewall-rules' },
  hostlogs: { suite: 'remote-logging', title: 'SSH audit' },
  ipsec: { suite: 'ipsec', title: 'a tunnel that is up' },
  jobs: { path: '/jobs' },
  lbproxy: { suite: 'lbproxy', title: 'overview' },
  licence: { suite: 'settings', title: 'licence' },
  limits: { suite: 'limits', title: 'the limits of users' },
  logstore: { suite: 'logstore', title: 'logs' },
  machine: { path: '/settings/host' },
  mail: { suite: 'mail', title: 'the mail relay' },
  'mailbox-backup': { suite: 'mailbox-backup', title: 'mailboxes' },
  manifest: { suite: 'manifest', title: 'the plan of a manifest' },
  mcp: { suite: 'mcp', title: 'mcp keys of several owners' },
  nettools: { suite: 'nettools', title: 'network tools' },
  notifications: { path: '/notifications' },
  php: { suite: 'websites', title: 'the versions of PHP' },
  plugins: { path: '/plugins' },
  processes: { path: '/processes' },
  programs: { path: '/programs' },
  'replication-servers': { suite: 'replication-servers', title: 'a server' },
  selfupdate: { suite: 'panel-updates', title: 'an update' },
  services: { path: '/services' },
  settings: { path: '/settings' },
  sitebackups: { suite: 'backups', title: 'the backups of a website' },
  snapshots: { suite: 'snapshots', title: 'snapshots' },
  sqldb: { suite: 'sqldb-server', title: 'sqldb' },
  sqlproxy: { suite: 'sqlproxy', title: 'the servers' },
  sqlreplication: { suite: 'sqlreplication', title: 'a replica that stopped' },
  storage: { suite: 'storage', title: 'storage' },
  terminal: { suite: 'terminal', title: 'terminal' },
  traffic: { suite: 'websites', title: 'the traffic of a website' },
  updates: { path: '/updates' },
  uptime: { suite: 'uptime', title: 'uptime' },
  users: { path: '/users' },
  'vpn-gateway': { suite: 'vpn-gateway', title: 'the nodes' },
  webacl: { suite: 'webacl', title: 'rulesets that are pending' },
  webadmin: { suite: 'webadmin', title: 'signing in' },
  webserver: { suite: 'webserver', title: 'web server' },
  websites: { path: '/websites' },
}

/** The width of a picture in pixels. */
export const width = 1280
export const mostBytes = 60 * 1024

/** The path of a picture below the checkout. */
export const fileOf = (area: string): string => `docs/pictures/${area}.webp`
