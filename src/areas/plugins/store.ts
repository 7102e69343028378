import type { Store } from '../../store/store.ts'

export interface PluginRow {
  readonly name: string
  readonly enabled: number
  readonly updated_at: string
}

declare module '../../store/tables.ts' {
  interface Tables {
    readonly plugins: PluginRow
  }
}

/** Returns this area's queries. */
export function pluginQueries({ db }: Store) {
  return {
    disabled: async (): Promise<readonly string[]> =>
      (await db.selectFrom('plugins').select('name').where('enabled', '=', 0).execute()).map(
        ({ name }) => name,
      ),
    known: async (name: string): Promise<boolean> =>
      (await db.selectFrom('plugins').select('name').where('name', '=', name).executeTakeFirst()) !==
      undefined,
  }
}
