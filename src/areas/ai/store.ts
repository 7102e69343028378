import { type Column, id, integer, optional, revision, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'

/** One row while the assistant is set up; everything else is in its files. */
export const assistant = table('ai_assistant', {
  id: id(),
  /** The key by which the assistant uses the panel. */
  mcp_key_id: optional(integer()),
  /** The port on which the console is shown to the network. */
  lan_port: optional(integer()),
  revision: revision(),
})

/** Of a whole file, which is longer than other secrets. */
const sealedFile = (): Column<string, string, false> => ({ ...text(24_000_000), isShown: false })

/** Former configurations, sealed: people write secrets into them. */
export const configVersions = table(
  'ai_config_versions',
  { id: id(), content: sealedFile(), size_bytes: integer(), created_at: time() },
  { noun: 'version' },
)

export type AssistantRow = RowOf<typeof assistant>
export type ConfigVersionRow = RowOf<typeof configVersions>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly ai_assistant: AssistantRow
    readonly ai_config_versions: ConfigVersionRow
  }
}

/** The id of the only row. */
export const assistantId = 1

/** Returns this area's queries. */
export function assistantQueries(store: Store) {
  const versions = queriesOf(store, configVersions)
  return {
    find: () => queriesOf(store, assistant).find({ id: assistantId }),
    /** The former configurations, the newest first. */
    versions: (): Promise<readonly ConfigVersionRow[]> =>
      store.db.selectFrom('ai_config_versions').selectAll().orderBy('id', 'desc').execute(),
    version: (id: number) => versions.load({ id }, 'version'),
    /** The last job of these kinds. */
    lastJob: (kinds: readonly string[]) =>
      store.db
        .selectFrom('jobs')
        .select(['id', 'state', 'message', 'finished_at'])
        .where('kind', 'in', [...kinds])
        .orderBy('id', 'desc')
        .executeTakeFirst(),
  }
}

export type AssistantQueries = ReturnType<typeof assistantQueries>
