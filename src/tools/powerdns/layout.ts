/** The file that the panel writes; Debian's pdns.conf includes its directory, and later settings override its own. */
export const configurationPath = '/etc/powerdns/pdns.d/hostreeve.conf'

/** The schema of the zones, from the package pdns-backend-mysql. */
export const schemaPath = '/usr/share/pdns-backend-mysql/schema/schema.mysql.sql'

/** The database of the zones, and the account that PowerDNS signs in with. */
export const databaseName = 'powerdns'
export const accountName = 'powerdns'

/** The only identifier of a server that PowerDNS answers to. */
export const serverId = 'localhost'
export const defaultApiPort = 8081

/** The Linux account of PowerDNS. */
export const linuxAccount = 'pdns'
