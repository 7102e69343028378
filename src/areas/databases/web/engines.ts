import type { EngineName } from '../model.ts'

/** The names of database servers for people. */
export const engineTitles: Readonly<Record<EngineName, string>> = {
  mariadb: 'MariaDB',
  postgresql: 'PostgreSQL',
  mongodb: 'MongoDB',
}

interface DumpTexts {
  readonly exported: string
  readonly imported: string
}

/** What an export is and an import takes, by the server. */
export const dumpTexts: Readonly<Record<EngineName, DumpTexts>> = {
  mariadb: {
    exported: 'a gzipped SQL dump with views, routines, triggers and events',
    imported: 'SQL, plain or in a .gz or .zip',
  },
  postgresql: {
    exported: 'a gzipped SQL dump without owners and rights',
    imported: 'SQL of pg_dump, plain or in a .gz or .zip',
  },
  mongodb: {
    exported: 'a compressed archive of mongodump',
    imported: 'A compressed archive of mongodump',
  },
}
