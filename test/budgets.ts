/** The seconds that an area's suites may take on two quiet cores, with the other suites of their kind running beside them. */
export interface Budget {
  /** Suites of test/hosts by name. */
  readonly hosts?: Readonly<Record<string, number>>
  /** Suites of test/browser by name. */
  readonly browser?: Readonly<Record<string, number>>
}

/** One line for each area; the suites that no area owns are in the first. A suite that takes more than twice its line is reported as slow. */
export const budgets: Readonly<Record<string, Budget>> = {
  panel: {
    hosts: {
      harness: 60,
      delivered: 60,
      'apply-faults': 60,
      'apply-kills': 60,
      'bad-input': 60,
      guides: 60,
      'in-the-browser': 40,
      'many-clients': 60,
    },
    browser: { panel: 50, smoke: 80, navigation: 30, honest: 30, restart: 45, stories: 60 },
  },
  selfupdate: { hosts: { selfupdate: 70 }, browser: { 'panel-updates': 20 } },
  auth: { hosts: { 'sign-in': 30 }, browser: { account: 30, factors: 30 } },
  users: { hosts: { users: 60 } },
  dashboard: { browser: { dashboard: 30 } },
  websites: {
    hosts: { 'first-site': 60, 'nginx-again': 30, 'site-types': 60 },
    browser: { websites: 35 },
  },
  applications: {
    hosts: { applications: 90, 'applications-apart': 90, 'first-wordpress': 90, 'wordpress-story': 20 },
    browser: { applications: 30 },
  },
  wordpress: { hosts: { wordpress: 90, 'wordpress-core': 90 }, browser: { wordpress: 30 } },
  certificates: { hosts: { certificates: 75, 'panel-certificate': 80, 'sites-over-https': 90 } },
  'page-cache': { hosts: { 'page-cache': 90 }, browser: { 'page-cache': 20 } },
  staging: { hosts: { staging: 90 }, browser: { staging: 20 } },
  crontab: { hosts: { crontab: 60 } },
  databases: {
    hosts: { databases: 60, 'databases-docdb': 90, 'databases-import': 90, 'databases-postgresql': 90 },
    browser: { databases: 30 },
  },
  uptime: { hosts: { uptime: 90 }, browser: { uptime: 30 } },
  webacl: { hosts: { webacl: 90 }, browser: { webacl: 60 } },
  nettools: { hosts: { nettools: 90 }, browser: { nettools: 30 } },
  limits: { hosts: { 'owner-limits': 20 }, browser: { limits: 20 } },
  filemanager: {
    hosts: {
      archives: 60,
      'archives-jobs': 60,
      attacker: 60,
      'attacker-changes': 60,
      'attacker-moves': 60,
      'filemanager-crash': 90,
      'filemanager-limits': 60,
      uploads: 60,
      vcs: 60,
    },
    browser: {
      files: 60,
      'files-care': 30,
      'files-content': 60,
      'files-copies': 30,
      'files-jobs': 30,
      'files-obstacles': 30,
      'files-others': 30,
      'files-reach': 30,
      'files-repository': 30,
      'files-ssh': 30,
      'files-states': 30,
      'files-transfers': 60,
      'files-vcs': 30,
      'files-ways': 60,
      'files-work': 30,
    },
  },
  containers: {
    hosts: {
      containers: 90,
      'containers-apps': 90,
      'containers-catalog': 90,
      'containers-exposure': 90,
      'containers-guide': 90,
      'containers-upgrade': 90,
    },
    browser: { containers: 30, 'containers-catalog': 60 },
  },
  ai: {
    hosts: { 'assistant-guide': 90, 'assistant-settings': 90 },
    browser: { assistant: 40 },
  },
  'vpn-gateway': { hosts: { 'vpn-mesh': 90 }, browser: { 'vpn-gateway': 30 } },
  sqlproxy: { hosts: { sqlproxy: 90 }, browser: { sqlproxy: 40 } },
  lbproxy: {
    hosts: { lbproxy: 60, 'lbproxy-faults': 60, 'lbproxy-guide': 40, 'lbproxy-load': 40 },
    browser: { lbproxy: 60, 'lbproxy-config': 60, plans: 30 },
  },
  backups: { hosts: { 'backups-panel': 90 }, browser: { backups: 30 } },
  sitebackups: { hosts: { 'sitebackups-drills': 90, 'sitebackups-points': 90 } },
  ipsec: { hosts: { ipsec: 90 }, browser: { ipsec: 30 } },
  'mailbox-backup': { hosts: { 'mailbox-backup': 90 }, browser: { 'mailbox-backup': 50 } },
  dnslb: { hosts: { dnslb: 75 }, browser: { dnslb: 45 } },
  authdns: { hosts: { authdns: 90, 'authdns-more': 60, 'authdns-hosts': 90 }, browser: { authdns: 50 } },
  logstore: { hosts: { logstore: 90 }, browser: { logstore: 30 } },
  webadmin: { hosts: { webadmin: 60 }, browser: { webadmin: 30 } },
  aipartner: { hosts: { aipartner: 75 }, browser: { aipartner: 30 } },
  ssh: { hosts: { ssh: 60 }, browser: { ssh: 25 } },
  terminal: { hosts: { terminal: 20 }, browser: { terminal: 30 } },
  services: { hosts: { services: 30 } },
  passkeys: { browser: { passkeys: 30 } },
  mcp: { hosts: { mcp: 90 }, browser: { mcp: 30 } },
  notifications: { hosts: { notifications: 30 }, browser: { notifications: 25 } },
  machine: { hosts: { machine: 20 } },
  mail: { hosts: { mail: 60 }, browser: { mail: 25 } },
  webserver: { hosts: { apache: 90 }, browser: { webserver: 30 } },
  hostlogs: { hosts: { 'remote-logging': 60 }, browser: { 'remote-logging': 30 } },
  snapshots: { hosts: { snapshots: 60 }, browser: { snapshots: 30 } },
  drift: { hosts: { drift: 75 }, browser: { drift: 30 } },
  manifest: { hosts: { manifest: 90 }, browser: { manifest: 30 } },
  storage: { hosts: { storage: 30 }, browser: { storage: 30 } },
  updates: { hosts: { updates: 20 }, browser: { updates: 30 } },
  licence: { browser: { settings: 20 } },
  firewall: {
    hosts: { firewall: 75, 'firewall-ufw': 40, 'firewall-firewalld': 45 },
    browser: { firewall: 30 },
  },
  'docdb-server': { hosts: { 'docdb-server': 90 }, browser: { 'docdb-server': 40 } },
  sqlreplication: { hosts: { sqlreplication: 90 }, browser: { sqlreplication: 30 } },
  'replication-servers': {
    hosts: { 'replication-servers': 90 },
    browser: { 'replication-servers': 40 },
  },
  sqldb: {
    hosts: { sqldb: 60, 'sqldb-kills': 60, 'sqldb-server': 60 },
    browser: { 'sqldb-server': 30 },
  },
}

/** The budget of a suite; undefined if it has none. */
export function secondsOf(kind: keyof Budget, name: string): number | undefined {
  for (const budget of Object.values(budgets)) {
    const seconds = budget[kind]?.[name]
    if (seconds !== undefined) return seconds
  }
  return undefined
}
