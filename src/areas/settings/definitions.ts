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

/** Every setting of the panel (decision 5.1): HOSTREEVE_<NAME> in the environment, <name> in config.toml. */
export const definitions = [
  {
    name: 'host',
    title: 'Address',
    group: 'Access',
    fallback: '127.0.0.1',
    meaning: 'Address to listen on',
  },
  {
    name: 'port',
    title: 'Port',
    group: 'Access',
    fallback: '7070',
    meaning: 'Port to listen on',
    most: 65_535,
  },
  {
    name: 'tls',
    title: 'HTTPS',
    group: 'Access',
    fallback: 'auto',
    meaning: 'auto (HTTPS on all but loopback addresses), on, off',
    choices: ['auto', 'on', 'off'],
  },
  {
    name: 'fresh_factor_minutes',
    title: 'Second factor again after',
    group: 'Access',
    fallback: '0',
    meaning: 'Minutes after which deletions and terminals ask for the second factor again; 0 for never',
    most: 1440,
  },
  {
    name: 'firewall_confirm_seconds',
    title: 'Confirmation of the firewall',
    group: 'Access',
    fallback: '60',
    meaning: 'Seconds within which a change of the firewall is confirmed, or it is undone',
    least: 10,
    most: 3600,
  },
  {
    name: 'data_dir',
    title: 'Data directory',
    group: 'Storage',
    fallback: './var',
    meaning: 'Where the store, the keys and the panel certificate live',
  },
  {
    name: 'database_url',
    title: 'Database',
    group: 'Storage',
    fallback: '',
    meaning: 'postgres://… instead of SQLite in the data directory',
    isSecret: true,
  },
  {
    name: 'admin_email',
    title: 'E-mail of the first superuser',
    group: 'Access',
    fallback: 'admin@localhost.localdomain',
    meaning: 'E-mail of the first superuser',
    isForFirstStart: true,
  },
  {
    name: 'admin_password',
    title: 'Password of the first superuser',
    group: 'Access',
    fallback: '',
    meaning:
      'Password of the first superuser; random when empty, and printed to a terminal or written to first-password in the data folder',
    isSecret: true,
    isForFirstStart: true,
  },
  {
    name: 'acme_directory',
    title: 'ACME directory',
    group: 'Services',
    fallback: '',
    meaning: 'ACME directory for certificates; its host may be at an internal address',
  },
  {
    name: 'trusted_proxies',
    title: 'Trusted proxies',
    group: 'Access',
    fallback: '',
    meaning: 'Addresses whose X-Forwarded-For is believed, with commas between',
  },
  {
    name: 'outbound_allow',
    title: 'Allowed internal addresses',
    group: 'Outbound connections',
    fallback: '',
    meaning:
      'Internal addresses and networks, with commas between, that users who are not superusers may download from and reach with git',
  },
  {
    name: 'history_mib',
    title: 'Quota per hosting user',
    group: 'File history',
    fallback: '256',
    meaning: 'Room on the disk for former versions of the files of each hosting user, in MiB; 0 keeps none',
    most: 1_000_000,
  },
  {
    name: 'history_days',
    title: 'Days kept',
    group: 'File history',
    fallback: '90',
    meaning: 'How many days former versions are kept',
    most: 36_500,
  },
  {
    name: 'history_file_mib',
    title: 'Largest file',
    group: 'File history',
    fallback: '8',
    meaning: 'Larger files have no former versions, in MiB, at most 64',
    most: 64,
  },
  {
    name: 'log_level',
    title: 'Log level',
    group: 'Monitoring',
    fallback: 'info',
    meaning: 'trace, debug, info, warn, error',
    choices: ['trace', 'debug', 'info', 'warn', 'error'],
  },
  {
    name: 'telemetry_secret',
    title: 'Telemetry secret',
    group: 'Monitoring',
    fallback: '',
    meaning: 'Shared secret of the telemetry endpoints',
    isSecret: true,
  },
  {
    name: 'telemetry_allow',
    title: 'Telemetry addresses',
    group: 'Monitoring',
    fallback: '',
    meaning: 'Addresses and networks that may ping, with commas between; all if empty',
  },
  {
    name: 'license_url',
    title: 'Licence server',
    group: 'Services',
    fallback: '',
    meaning: 'URL of the licence server',
  },
  {
    name: 'license_public_key',
    title: 'Key of the licence server',
    group: 'Services',
    fallback: '',
    meaning: 'Public key that licences are verified with: 32 bytes in base64',
  },
  {
    name: 'update_url',
    title: 'Update server',
    group: 'Services',
    fallback: '',
    meaning: 'URL of the index of releases of the panel',
  },
  {
    name: 'update_public_key',
    title: 'Key of the update server',
    group: 'Services',
    fallback: '',
    meaning:
      'Public key that releases are verified with: 32 bytes in base64; the key built into this release if empty',
  },
  {
    name: 'webadmin_url',
    title: 'Source of phpMyAdmin',
    group: 'Services',
    fallback: 'https://www.phpmyadmin.net,https://files.phpmyadmin.net',
    meaning:
      'Base addresses of home_page/version.txt and phpMyAdmin/VERSION/, with commas between: the first that has a file is used',
  },
  {
    name: 'webadmin_port',
    title: 'Port of phpMyAdmin',
    group: 'Services',
    fallback: '7443',
    meaning: 'Port on which the web server serves phpMyAdmin, over TLS',
    least: 1,
    most: 65_535,
  },
  {
    name: 'opensearch_url',
    title: 'Source of OpenSearch',
    group: 'Services',
    fallback: 'https://artifacts.opensearch.org',
    meaning: 'Base address of releases/bundle/opensearch/2.x/apt and publickeys/opensearch.pgp',
  },
  {
    name: 'headscale_url',
    title: 'Source of headscale',
    group: 'Services',
    fallback: 'https://github.com/juanfont/headscale/releases/download',
    meaning:
      'Base addresses of vVERSION/checksums.txt and the programs beside it, with commas between: the first that has a file is used',
  },
  {
    name: 'tailscale_url',
    title: 'Source of tailscale',
    group: 'Services',
    fallback: 'https://pkgs.tailscale.com/stable',
    meaning:
      'Base addresses of tailscale_VERSION_ARCHITECTURE.tgz and its .sha256, with commas between: the first that has a file is used',
  },
  {
    name: 'partner_api_url',
    title: 'AI partner',
    group: 'Services',
    fallback: '',
    meaning: 'URL of the API of the AI partner',
  },
  {
    name: 'partner_secret',
    title: 'Secret of the AI partner',
    group: 'Services',
    fallback: '',
    meaning: 'Secret by which the AI partner knows this panel; that built into this release if empty',
    isSecret: true,
  },
  {
    name: 'features',
    title: 'Features without a licence',
    group: 'Services',
    fallback: '',
    meaning: 'Licensed features that are available without a licence, with commas between',
  },
  {
    name: 'max_websites',
    title: 'Most websites',
    group: 'Services',
    fallback: '',
    meaning:
      'How many websites can be created; a licence may allow fewer, and empty leaves it to the licence',
    most: 1_000_000,
    table: 'limits',
  },
  {
    name: 'public_ip_url',
    title: 'Public address lookup',
    group: 'Services',
    fallback: '',
    meaning: 'Where the public address is looked up',
  },
  {
    name: 'smtp_url',
    title: 'Mail server',
    group: 'Services',
    fallback: 'smtp://127.0.0.1:25',
    meaning: 'SMTP server of notifications: smtp:// or smtps://, with user:password@ where it asks for them',
    isSecret: true,
  },
  {
    name: 'mail_from',
    title: 'Sender of mail',
    group: 'Services',
    fallback: '',
    meaning: 'Sender of notifications; hostreeve@ the name of the host if empty',
  },
  {
    name: 'graph_url',
    title: 'Mail server of mailboxes',
    group: 'Services',
    fallback: 'https://graph.microsoft.com',
    meaning: 'Where Microsoft Graph is reached; another address for a national cloud',
  },
  {
    name: 'graph_login_url',
    title: 'Sign-in of mailboxes',
    group: 'Services',
    fallback: 'https://login.microsoftonline.com',
    meaning: 'Where the panel signs in to Microsoft Graph; another address for a national cloud',
  },
  {
    name: 'mcp_query_token',
    title: 'Keys of agents in addresses',
    group: 'Access',
    fallback: 'on',
    meaning: 'on: agents may send their key as ?token= of /api/mcp; off: in the Authorization header only',
    choices: ['on', 'off'],
  },
  {
    name: 'geoip_file',
    title: 'File of countries',
    group: 'Services',
    fallback: '',
    meaning: 'MMDB file in which the DNS server finds the country of an address',
  },
  {
    name: 'metrics_token',
    title: 'Metrics token',
    group: 'Monitoring',
    fallback: '',
    meaning: 'Bearer token that /metrics takes from other than loopback addresses',
    isSecret: true,
  },
] as const satisfies readonly Definition[]

export type SettingName = (typeof definitions)[number]['name']

/** The definition of each setting, by its name. */
export const definitionOf = (name: SettingName): Definition =>
  definitions.find((each) => each.name === name) ?? definitions[0]

export const settingNames: readonly SettingName[] = definitions.map(({ name }) => name)
