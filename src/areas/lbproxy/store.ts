import type { RowWrite } from '../../core/change.ts'
import { oneOf, text } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { type RowOf, table } from '../../store/table.ts'
import type { ServerState } from '../../tools/haproxy/index.ts'

export const wantedStates = table(
  'lbproxy_states',
  {
    backend: text(255, { key: true }),
    server: text(255, { key: true }),
    /** Never `ready`: that is the state of a server without a row. */
    state: oneOf(['ready', 'drain', 'maint']),
    /** HAProxy generation in which the state was last confirmed; empty until then. */
    generation: text(200),
  },
  { notUndone: { unchecked: ['generation'] } },
)
export type StateRow = RowOf<typeof wantedStates>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly lbproxy_states: StateRow
  }
}

/** Returns this area's queries: the servers that were taken out of service. */
export function stateQueries(store: Store) {
  /** No-op if the wanted state has changed since. */
  const set = ({ backend, server, state }: StateRow, values: Partial<StateRow>) =>
    store.transaction(async (tx) => {
      const rows = tx
        .updateTable('lbproxy_states')
        .set(values)
        .where('backend', '=', backend)
        .where('server', '=', server)
      await rows.where('state', '=', state).execute()
    })
  return {
    all: (): Promise<StateRow[]> =>
      store.db.selectFrom('lbproxy_states').selectAll().orderBy('backend').orderBy('server').execute(),
    of: async (backend: string, server: string): Promise<ServerState | undefined> => {
      const rows = store.db.selectFrom('lbproxy_states').select('state').where('backend', '=', backend)
      return (await rows.where('server', '=', server).executeTakeFirst())?.state
    },
    /** Returns the writes that make this the wanted state. */
    remember: (backend: string, server: string, state: ServerState): readonly RowWrite[] => {
      const deletion = wantedStates.delete({ backend, server })
      return state === 'ready'
        ? [deletion]
        : [deletion, wantedStates.insert({ backend, server, state, generation: '' })]
    },
    forget: (backend: string, server: string): RowWrite => wantedStates.delete({ backend, server }),
    forgetBackend: (backend: string): RowWrite => wantedStates.delete({ backend }),
    markConfirmed: (row: StateRow, generation: string) => set(row, { generation }),
    markChanged: (row: StateRow, state: ServerState) => set(row, { state }),
    markRemoved: ({ backend, server, state }: StateRow) =>
      store.transaction((tx) => store.write(tx, [wantedStates.delete({ backend, server, state })])),
  }
}

export type WantedStates = ReturnType<typeof stateQueries>
