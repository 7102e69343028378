import { point } from '../../core/point.ts'

/** A TXT record that a certificate authority looks for (RFC 8555, section 8.4). */
export interface ChallengeRecord {
  /** Such as `_acme-challenge.example.com`. */
  readonly name: string
  readonly value: string
}

/** A way to publish TXT records, by which wildcards are proved. */
export interface DnsChallenges {
  /** True if it can publish records below this host name. */
  covers(name: string): Promise<boolean>
  /** Resolves once every name server of the zone answers the record; others of the same name stay. */
  publish(record: ChallengeRecord, signal: AbortSignal): Promise<void>
  withdraw(record: ChallengeRecord): Promise<void>
}

/** The ways to publish records for dns-01, in the order of the areas. */
export const dnsChallenges = point<DnsChallenges>('dns challenges')
