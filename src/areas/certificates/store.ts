import Type from 'typebox'
import { integer, json, oneOf, optional, ref, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { type RowOf, table } from '../../store/table.ts'
import { queriesOf } from '../../store/table-queries.ts'

export const methods = ['acme', 'upload', 'self_signed'] as const

/** The certificate that a website is served with. */
export const websiteCertificates = table(
  'website_certificates',
  {
    website_id: ref('websites', { key: true }),
    method: oneOf(methods),
    names: json(Type.Array(Type.String())),
    issuer: text(500),
    not_before: time(),
    not_after: time(),
    /** The ACME directory of its certificate authority; null where none issued it. */
    directory: optional(text(2000)),
    /** Its identifier for renewal information (RFC 9773, section 4.1). */
    ari_id: optional(text(500)),
    renew_at: optional(time()),
    /** When the renewal information is asked for again. */
    ari_at: optional(time()),
    /** Until then, a renewal that was queued is not queued again. */
    renewing_until: optional(time()),
  },
  { noun: 'certificate', notUndone: { unchecked: ['renew_at', 'ari_at', 'renewing_until'] } },
)
export type CertificateRow = RowOf<typeof websiteCertificates>

/** The last failure to issue a certificate for a website, until one is issued. Written outside changes. */
export const certificateFailures = table(
  'certificate_failures',
  {
    website_id: ref('websites', { key: true }),
    error: text(2000),
    failed_at: time(),
    count: integer(),
    /** No renewal is tried before. */
    retry_at: time(),
  },
  {
    notUndone: {
      left: 'the last failure is history',
      unchecked: ['error', 'failed_at', 'count', 'retry_at'],
    },
  },
)
export type FailureRow = RowOf<typeof certificateFailures>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly website_certificates: CertificateRow
    readonly certificate_failures: FailureRow
  }
}

/** Returns this area's queries. */
export function certificateQueries(store: Store) {
  const of = queriesOf(store, websiteCertificates)
  const failures = queriesOf(store, certificateFailures)
  const failure = (websiteId: number) => failures.find({ website_id: websiteId })
  return {
    certificate: (websiteId: number) => of.find({ website_id: websiteId }),
    failure,
    /** Returns the certificates that must be renewed now, the earliest first. */
    due: (now: Date, limit: number) => {
      const at = now.toISOString()
      return joinedOf(store)
        .leftJoin(
          'certificate_failures',
          'certificate_failures.website_id',
          'website_certificates.website_id',
        )
        .where('renew_at', '<=', at)
        .where((row) => row.or([row('renewing_until', 'is', null), row('renewing_until', '<=', at)]))
        .where((row) => row.or([row('retry_at', 'is', null), row('retry_at', '<=', at)]))
        .orderBy('renew_at')
        .limit(limit)
        .execute()
    },
    /** Returns the certificates whose renewal information must be asked for again. */
    toAsk: (now: Date, limit: number) =>
      joinedOf(store).where('ari_at', '<=', now.toISOString()).orderBy('ari_at').limit(limit).execute(),
    ...overviewsOf(store),
    ...writesOf(store),
  }
}

/** Certificates with their websites. */
const joinedOf = ({ db }: Store) =>
  db
    .selectFrom('website_certificates')
    .innerJoin('websites', 'websites.id', 'website_certificates.website_id')
    .selectAll('website_certificates')
    .select(['websites.domain', 'websites.user_id'])

/** What lists and notices show. */
const overviewsOf = (store: Store) => ({
  /** Returns the certificates that expire before a time, the earliest first. */
  expiring: (before: Date, { userId, limit }: { readonly userId?: number; readonly limit: number }) => {
    const found = joinedOf(store)
      .where('not_after', '<', before.toISOString())
      .orderBy('not_after')
      .limit(limit)
    return (userId === undefined ? found : found.where('websites.user_id', '=', userId)).execute()
  },
  /** Returns the number of certificates that a user sees, or of all. */
  count: async (userId: number | undefined): Promise<number> => {
    const counting = store.db
      .selectFrom('website_certificates')
      .innerJoin('websites', 'websites.id', 'website_certificates.website_id')
      .select((row) => row.fn.countAll<number>().as('count'))
    const found = userId === undefined ? counting : counting.where('websites.user_id', '=', userId)
    return Number((await found.executeTakeFirstOrThrow()).count)
  },
  /** Returns the last failures with their websites, the latest first. */
  failures: (limit: number) =>
    store.db
      .selectFrom('certificate_failures')
      .innerJoin('websites', 'websites.id', 'certificate_failures.website_id')
      .selectAll('certificate_failures')
      .select(['websites.domain', 'websites.user_id'])
      .orderBy('failed_at', 'desc')
      .limit(limit)
      .execute(),
})

/** The writes outside changes. */
const writesOf = (store: Store) => ({
  /** Writes into the certificate unless it was replaced meanwhile. */
  mark: (
    { website_id, not_after }: CertificateRow,
    set: Partial<Pick<CertificateRow, 'renew_at' | 'ari_at' | 'renewing_until'>>,
  ) =>
    store.transaction(async (tx) => {
      const rows = tx.updateTable('website_certificates').set(set).where('website_id', '=', website_id)
      await rows.where('not_after', '=', not_after).execute()
    }),
  /** Remembers a failure until a certificate is issued. */
  noteFailure: (row: FailureRow) =>
    store.transaction(async (tx) =>
      store.write(tx, [
        certificateFailures.delete({ website_id: row.website_id }),
        certificateFailures.insert(row),
      ]),
    ),
})

export type CertificateQueries = ReturnType<typeof certificateQueries>
