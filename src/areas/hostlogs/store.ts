import { boolean, id, integer, oneOf, revision, text } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'
import { protocols } from './model.ts'

const target = { server: text(253), port: integer(), protocol: oneOf(protocols), ca: text(65_536) }

/** One row: where the log lines of the host are sent. */
export const remoteLogging = table(
  'remote_logging',
  { id: id(), enabled: boolean(), ...target, revision: revision() },
  { noun: 'settings of remote logging' },
)
export type RemoteLoggingRow = RowOf<typeof remoteLogging>

/** One row: what the SSH audit records, and where its lines are sent. */
export const sshAudit = table(
  'ssh_audit',
  { id: id(), enabled: boolean(), commands: boolean(), forward: boolean(), ...target, revision: revision() },
  { noun: 'settings of the SSH audit' },
)
export type SshAuditRow = RowOf<typeof sshAudit>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly remote_logging: RemoteLoggingRow
    readonly ssh_audit: SshAuditRow
  }
}

const nowhere = { id: 1, server: '', port: 514, protocol: 'tcp', ca: '', revision: 0 } as const
const noLogging: RemoteLoggingRow = { ...nowhere, enabled: 0 }
const noAudit: SshAuditRow = { ...nowhere, enabled: 0, commands: 0, forward: 0 }

/** Returns the queries of the settings; revision 0 where there are none yet. */
export function hostLogQueries(store: Store) {
  const [logging, audit] = [queriesOf(store, remoteLogging), queriesOf(store, sshAudit)]
  return {
    logging: async (): Promise<RemoteLoggingRow> => (await logging.find({ id: 1 })) ?? noLogging,
    audit: async (): Promise<SshAuditRow> => (await audit.find({ id: 1 })) ?? noAudit,
  }
}
