import { id, integer, optional, text, time } from '../../../store/columns.ts'
import type { Store } from '../../../store/store.ts'
import { type RowOf, table } from '../../../store/table.ts'
import { queriesOf } from '../../../store/table-queries.ts'

/** The only row of each table. */
export const onlyRow = { id: 1 } as const

/** The certificate that an authority issued for the panel; its renewals stop once another one is served. */
export const panelCertificates = table(
  'panel_certificates',
  {
    id: id(),
    name: text(253),
    /** The digest of the PEM that was written. */
    fingerprint: text(64),
    issuer: text(500),
    not_before: time(),
    not_after: time(),
    /** The ACME directory of its certificate authority. */
    directory: text(2000),
    /** Its identifier for renewal information (RFC 9773, section 4.1). */
    ari_id: optional(text(500)),
    renew_at: time(),
    /** When the renewal information is asked for again. */
    ari_at: optional(time()),
    /** Until then, a renewal that was queued is not queued again. */
    renewing_until: optional(time()),
  },
  { noun: 'certificate of the panel', notUndone: { unchecked: ['renew_at', 'ari_at', 'renewing_until'] } },
)
export type PanelCertificateRow = RowOf<typeof panelCertificates>

/** The last failure to issue a certificate for the panel, until one is issued. Written outside changes. */
export const panelCertificateFailures = table(
  'panel_certificate_failures',
  {
    id: id(),
    name: text(253),
    error: text(2000),
    failed_at: time(),
    count: integer(),
    /** No renewal is tried before. */
    retry_at: time(),
  },
  {
    notUndone: {
      left: 'the last failure is history',
      unchecked: ['name', 'error', 'failed_at', 'count', 'retry_at'],
    },
  },
)
type FailureRow = RowOf<typeof panelCertificateFailures>

declare module '../../../store/tables.ts' {
  interface Tables {
    readonly panel_certificates: PanelCertificateRow
    readonly panel_certificate_failures: FailureRow
  }
}

/** Returns the queries on the panel's own certificate. */
export function panelCertificateQueries(store: Store) {
  const certificates = queriesOf(store, panelCertificates)
  const failures = queriesOf(store, panelCertificateFailures)
  return {
    certificate: () => certificates.find(onlyRow),
    failure: () => failures.find(onlyRow),
    /** Writes into the row unless the certificate was replaced meanwhile. */
    mark: (
      { fingerprint }: PanelCertificateRow,
      set: Partial<Pick<PanelCertificateRow, 'renew_at' | 'ari_at' | 'renewing_until'>>,
    ) =>
      store.transaction(async (tx) => {
        await tx.updateTable('panel_certificates').set(set).where('fingerprint', '=', fingerprint).execute()
      }),
    /** Remembers a failure until a certificate is issued. */
    noteFailure: (row: Omit<FailureRow, 'id'>) =>
      store.transaction(async (tx) =>
        store.write(tx, [
          panelCertificateFailures.delete(onlyRow),
          panelCertificateFailures.insert({ ...onlyRow, ...row }),
        ]),
      ),
  }
}
