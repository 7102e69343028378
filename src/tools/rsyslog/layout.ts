/** Debian's rsyslog.conf includes the files of this directory before its own rules. */
export const configurationPath = '/etc/rsyslog.conf'
export const directory = '/etc/rsyslog.d'
export const sharedPath = `${directory}/20-hostreeve.conf`
export const spool = '/var/spool/rsyslog'

/** The file of one source of log lines. */
export const sourcePath = (id: number): string => `${directory}/30-hostreeve-source-${id}.conf`

/** The name of the queue of a source, and of its files in the spool. */
export const queueName = (id: number): string => `hostreeve-source-${id}`
