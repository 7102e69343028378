/** Debian's rsyslog.conf includes the `.conf` files of this directory before its own rules. */
export const directory = '/etc/rsyslog.d'
export const spool = '/var/spool/rsyslog'

const purposes = ['remote', 'ssh-audit'] as const
/** What is sent to another server: every line of the host, or those of the SSH audit. */
export type Purpose = (typeof purposes)[number]

/** The file that sends the lines; a file before it could drop them. */
export const rulePath = (purpose: Purpose): string => `${directory}/10-hostreeve-${purpose}.conf`

/** The certificate of the authority that signed that of the server; not included by rsyslog.conf. */
export const authorityPath = (purpose: Purpose): string => `${directory}/hostreeve-${purpose}-ca.pem`

/** The name of the queue, and the beginning of the names of its files in the spool. */
export const queueName = (purpose: Purpose): string => `hostreeve-${purpose}`

/** True for a file of one of the purposes: others have files in the directory too. */
export const isOwn = (path: string): boolean =>
  purposes.some((purpose) => path === rulePath(purpose) || path === authorityPath(purpose))
