import { secret, text } from '../../../store/columns.ts'
import type { Store } from '../../../store/store.ts'
import { type RowOf, table } from '../../../store/table.ts'

/** The credentials of registries. */
export const registries = table(
  'container_registries',
  {
    /** Host name in lower case, with its port if images name one. */
    registry: text(255, { key: true }),
    username: text(255),
    sealed_password: secret(),
  },
  { noun: 'registry', notUndone: { delete: 'its password is not kept' } },
)
export type RegistryRow = RowOf<typeof registries>

declare module '../../../store/tables.ts' {
  interface Tables {
    readonly container_registries: RegistryRow
  }
}

/** Lists the rows, by the names of the registries. */
export const listRegistryRows = ({ db }: Pick<Store, 'db'>): Promise<readonly RegistryRow[]> =>
  db.selectFrom('container_registries').selectAll().orderBy('registry').execute()

/** Finds the row of a registry. */
export const findRegistryRow = (
  { db }: Pick<Store, 'db'>,
  registry: string,
): Promise<RegistryRow | undefined> =>
  db.selectFrom('container_registries').selectAll().where('registry', '=', registry).executeTakeFirst()
