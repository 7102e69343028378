/** The role whose members are the users of databases that the panel has made; no name of a user has a colon. */
export const websitesRole = 'hostreeve:websites'

/** Returns the role that owns a database and all that is in it; the users of the database are its members. */
export const ownerRole = (database: string): string => `${database}:owner`

const clientSuffix = ':client'

/** Returns the role under which the panel dumps a database, or imports into it; it exists meanwhile. */
export const clientRole = (database: string): string => `${database}${clientSuffix}`

/** Returns the database of such a role; undefined for another role. */
export const databaseOfClient = (role: string): string | undefined =>
  role.endsWith(clientSuffix) ? role.slice(0, -clientSuffix.length) : undefined

/** Of names of the server, in bytes. */
export const longestRole = 63

/** Of databases: the names of their roles must not be cut off. */
export const longestDatabase = longestRole - clientSuffix.length
