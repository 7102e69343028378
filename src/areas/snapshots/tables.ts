/**
 * Tables whose rows stand for more than settings: a home, an account, a database. A restore changes their settings, and is refused
 * where one was created or deleted since.
 */
export const tiedTables: readonly string[] = ['websites', 'databases']

/** Tells which web server serves: a restore never switches it, and is refused where it was switched since. */
export const serverTable = 'web_server'

/**
 * Tables that a restore makes as they were, each after those that it refers to: those whose whole effect is in managed files or
 * in the panel. Users, keys, sessions, activity, jobs and histories are never taken back.
 */
export const restoredTables: readonly string[] = [
  'website_aliases',
  'website_settings',
  'website_access',
  'website_creation',
  'php_security',
  'php_exceptions',
  'remote_logging',
  'dns_templates',
]
