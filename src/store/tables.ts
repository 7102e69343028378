/**
 * The tables of the panel's store. Each folder adds its own beside the queries on them:
 *
 *     declare module '../../store/tables.ts' { interface Tables { websites: WebsiteRow } }
 */
export interface Tables {
  readonly schema_migrations: { readonly name: string; readonly applied_at: string }
  /** A constant sealed under the key file. One row. */
  readonly key_check: { readonly slot: 1; readonly sealed: string }
  readonly sequences: { readonly table_name: string; readonly last_id: number }
}
