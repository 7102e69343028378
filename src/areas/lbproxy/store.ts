import type { RowWrite } from '../../core/change.ts'
import { deleteRow, insertRow } from '../../store/rows.ts'
import type { Store } from '../../store/store.ts'
import type { ServerState } from '../../tools/haproxy/index.ts'

export interface StateRow {
  readonly backend: string
  readonly server: string
  /** Never `ready`: that is what a server is when nobody says otherwise. */
  readonly state: ServerState
  /** The processes of HAProxy in which it was seen to hold; empty before that. */
  readonly generation: string
}

declare module '../../store/tables.ts' {
  interface Tables {
    readonly lbproxy_states: StateRow
  }
}

/** This area's queries: the servers that somebody took out of service. */
export function stateQueries(store: Store) {
  /** Nothing, where somebody wants another state by now. */
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
    /** Writes that make this the wanted state. */
    remember: (backend: string, server: string, state: ServerState): readonly RowWrite[] => {
      const gone = deleteRow('lbproxy_states', { backend, server })
      return state === 'ready'
        ? [gone]
        : [gone, insertRow('lbproxy_states', { backend, server, state, generation: '' })]
    },
    forget: (backend: string, server: string): RowWrite => deleteRow('lbproxy_states', { backend, server }),
    forgetBackend: (backend: string): RowWrite => deleteRow('lbproxy_states', { backend }),
    markSeen: (row: StateRow, generation: string) => set(row, { generation }),
    markChanged: (row: StateRow, state: ServerState) => set(row, { state }),
    markGone: ({ backend, server, state }: StateRow) =>
      store.transaction((tx) => store.write(tx, [deleteRow('lbproxy_states', { backend, server, state })])),
  }
}

export type WantedStates = ReturnType<typeof stateQueries>
