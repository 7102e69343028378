/** Debian's rsyslog.conf includes the files of this directory before its own rules. */
export const configurationPath = '/etc/rsyslog.conf'
export const directory = '/etc/rsyslog.d'
export const sharedPath = `${directory}/20-hostreeve.conf`
export const spool = '/var/spool/rsyslog'

/** The file of one source of log lines. */
export const sourcePath = (id: number): string => `${directory}/30-hostreeve-source-${id}.conf`

/** The source whose file this is; undefined for another file. */
export function idOfSource(name: string): number | undefined {
  const [, id] = /^30-hostreeve-source-(\d+)\.conf$/.exec(name) ?? []
  return id === undefined ? undefined : Number(id)
}

/** True for the files of the log store; other programs of the panel have files in the same directory. */
export const isOwnFile = (path: string): boolean =>
  path === sharedPath || idOfSource(path.slice(directory.length + 1)) !== undefined

/** The name of the queue of a source, and of its files in the spool. */
export const queueName = (id: number): string => `hostreeve-source-${id}`
