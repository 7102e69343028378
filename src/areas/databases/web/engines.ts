import type { EngineName } from '../model.ts'

/** The names of database servers for people. */
export const engineTitles: Readonly<Record<EngineName, string>> = {
  mariadb: 'MariaDB',
  postgresql: 'PostgreSQL',
  mongodb: 'MongoDB',
}
