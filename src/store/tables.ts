/**
 * The tables of the panel's store. Each folder adds its own next to its queries:
 *
 *     declare module '../../store/tables.ts' { interface Tables { websites: WebsiteRow } }
 */
export interface Tables {
  readonly schema_migrations: { readonly name: string; readonly applied_at: string }
  /** A constant sealed with the key file. One row. */
  readonly key_check: { readonly slot: 1; readonly sealed: string }
  readonly sequences: { readonly table_name: string; readonly last_id: number }
}
