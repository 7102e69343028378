import Type, { type Static } from 'typebox'
import { Hostname, Id, OneOf, Optional, Prose, Secret, Text, Time } from '../../../core/schemas.ts'

const source = OneOf(['local', 's3'], { description: 'Where the backup was restored from' })

export const DrillDraft = Type.Object({
  source: Optional(
    OneOf(['local', 's3'], { description: 'Restore from this place; by default from the newest backup' }),
  ),
  passphrase: Optional(
    Secret({
      maxLength: 1024,
      description: 'Of an encrypted backup, where the server no longer has the key',
    }),
  ),
})
export type DrillDraft = Static<typeof DrillDraft>

export const DrillPath = Type.Object({ id: Id, drill_id: Id })

/** One comparison of what was restored with what the manifest of the backup says. */
export const DrillCheck = Type.Object({
  subject: Text(300),
  expected: Text(2000),
  found: Prose(4000),
  passed: Type.Boolean(),
})
export type DrillCheck = Static<typeof DrillCheck>

export const Drill = Type.Object({
  id: Id,
  website_id: Id,
  backup: Text(255, { description: 'Name of the backup' }),
  source,
  started_at: Time,
  ended_at: Time,
  passed: Type.Boolean({ description: 'True if the restore was what had been backed up' }),
  message: Prose(4000, { description: 'The first finding; empty for one that passed' }),
})
export type Drill = Static<typeof Drill>

const Never = Type.Null()

export const DrillState = Type.Object({
  website_id: Id,
  domain: Hostname,
  last: Type.Union([Drill, Never], { description: 'The last drill; null if there was none' }),
  proven_at: Type.Union([Time, Never], {
    description: 'When a restore was last proven; null if it never was',
  }),
  age_days: Type.Union([Type.Integer({ minimum: 0 }), Never], { description: 'Full days since then' }),
  is_overdue: Type.Boolean({ description: 'True if that is longer ago than the settings allow' }),
})
export type DrillState = Static<typeof DrillState>

export const DrillSettings = Type.Object({
  schedule: Text(100, {
    description: 'A cron expression of five fields in the time zone of the host; empty for none',
  }),
  max_age_days: Type.Integer({
    minimum: 0,
    maximum: 3650,
    description: 'Notify owners of websites whose last proven restore is older; 0 for never',
    expects: 'a number of days from 0 to 3650',
  }),
})
export type DrillSettings = Static<typeof DrillSettings>

export const DrillKey = Type.Object({
  algorithm: OneOf(['ed25519']),
  public_key: Prose(1000, { description: 'In PEM, as SubjectPublicKeyInfo' }),
})
export type DrillKey = Static<typeof DrillKey>

export const DrillReport = Type.Object({
  report: Prose(1_000_000, { description: 'JSON; the signature is of exactly these bytes in UTF-8' }),
  signature: Text(200, { description: 'Ed25519, in base64' }),
  public_key: Prose(1000, { description: 'In PEM; compare it with one that was kept elsewhere' }),
})
export type DrillReport = Static<typeof DrillReport>
