import Type, { type Static, type TSchema } from 'typebox'
import { Masked, Revealed, Secret, Text, Time } from '../../core/schemas.ts'

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** A licence as telemetry and the page show it. */
const summary = {
  tier: Text(100, { description: 'Kind of licence' }),
  status: Text(50, { description: '`active`, `expired`, or what the licence server calls it' }),
  expires_at: orNull(Time),
  max_websites: orNull(
    Type.Integer({ minimum: 0, description: 'How many websites it allows; null for any number' }),
  ),
  blocked: Type.Boolean({ description: 'Whether the licence server has blocked it' }),
}

export const LicenceSummary = Type.Object({ key: Revealed({ description: 'Licence key' }), ...summary })
export type LicenceSummary = Static<typeof LicenceSummary>

export const Features = Type.Record(Type.String({ maxLength: 64 }), Type.Boolean(), {
  description: 'Licensed features by name',
})

export const Activated = Type.Object({
  success: Type.Boolean({ description: 'Whether the licence is in force' }),
  features: Features,
  tier: Text(100),
  status: Text(50),
})
export type Activated = Static<typeof Activated>

export const PanelLicence = Type.Object({
  license: orNull(
    Type.Object({
      key: Masked({ maxLength: 200 }),
      host: Text(253, { description: 'Name of its host' }),
      ...summary,
    }),
  ),
  features: Features,
  in_force: Type.Boolean({ description: 'Whether its features and limits apply' }),
  max_websites: orNull(
    Type.Integer({
      minimum: 0,
      description: 'How many websites can be created: the lower limit of the licence and the configuration',
    }),
  ),
  can_activate: Type.Boolean({ description: 'Whether a licence server and its public key are configured' }),
})
export type PanelLicence = Static<typeof PanelLicence>

/** Empty like missing is answered by the verb, as the contract asks. */
export const LicenceKey = Secret({ maxLength: 200, description: 'Licence key' })
