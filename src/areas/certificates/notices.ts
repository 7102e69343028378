import { contribution } from '../../core/point.ts'
import { type Notice, noticed } from '../notifications/index.ts'
import { longestSoonMs, stateOf } from './certificates.ts'
import type { Certificates } from './context.ts'

const most = 100

/** Tells the owners of websites that a certificate expires, or could not be issued or renewed. */
export const noticesOfCertificates = (of: Pick<Certificates, 'queries' | 'panel'>) =>
  contribution(noticed, {
    name: 'certificates',
    kinds: [
      { name: 'certificate_expiring', title: 'A certificate of a website expires' },
      { name: 'certificate_failed', title: 'A certificate could not be issued or renewed' },
    ],
    after: { seconds: 300 },
    read: () => readNotices(of, new Date()),
  })

/** Returns the certificates that expire, and the last failures. */
export async function readNotices({ queries, panel }: Pick<Certificates, 'queries' | 'panel'>, now: Date) {
  const soon = new Date(now.getTime() + longestSoonMs)
  const expiring = (await queries.expiring(soon, { limit: most })).filter(
    (row) => stateOf(row, now) !== 'valid',
  )
  return [
    ...expiring.map((row) => ({
      kind: 'certificate_expiring',
      key: `certificate:${row.website_id}:${row.not_after}:${stateOf(row, now)}`,
      group: row.domain,
      lasts: true as const,
      to: row.user_id,
      title: `The certificate of ${row.domain} ${stateOf(row, now) === 'expired' ? 'has expired' : 'expires soon'}`,
      message: `It is valid until ${row.not_after}.`,
      link: `/websites/${row.website_id}/certificate`,
    })),
    ...(await noticesOfPanel(panel)),
    ...(await queries.failures(most)).map((row) => ({
      kind: 'certificate_failed',
      key: `certificate-failed:${row.website_id}:${row.failed_at}`,
      group: row.domain,
      to: row.user_id,
      title: `No certificate could be issued for ${row.domain}`,
      message: row.error.slice(0, 500),
      link: `/websites/${row.website_id}/certificate`,
    })),
  ]
}

/** A renewal begins long before the certificate expires: what superusers must know is that it fails. */
async function noticesOfPanel({ queries }: Certificates['panel']): Promise<readonly Notice[]> {
  const failure = await queries.failure()
  if (failure === undefined) return []
  return [
    {
      kind: 'certificate_failed',
      key: `panel-certificate-failed:${failure.failed_at}`,
      group: 'panel certificate',
      to: 'superusers',
      title: `No certificate could be issued for the panel at ${failure.name}`,
      message: failure.error.slice(0, 500),
      link: '/settings/certificate',
    },
  ]
}
