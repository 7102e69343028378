import { changeMigrations } from '../changes/tables.ts'
import type { Area, Migration } from '../core/area.ts'
import { jobMigrations } from '../jobs/tables.ts'

/** The migrations of the panel's store: those of its own tables and of every area. */
export const migrationsOf = (areas: readonly Pick<Area, 'migrations'>[]): readonly Migration[] => [
  ...jobMigrations,
  ...changeMigrations,
  ...areas.flatMap((area) => area.migrations ?? []),
]
