import Type, { type Static } from 'typebox'
import { Optional, Text } from '../../core/schemas.ts'
import { Activated, LicenceSummary } from '../licence/index.ts'
import { MetricSample } from '../system/index.ts'

export const Ping = Type.Object({
  version: Text(50),
  status: Type.Literal('running'),
  license: Optional(LicenceSummary),
})
export type Ping = Static<typeof Ping>

const { load: _load, ...measured } = MetricSample.properties

export const TelemetryMetrics = Type.Object({
  metrics: Type.Array(Type.Object(measured), {
    maxItems: 360,
    description: 'The oldest first, of the last 30 minutes',
  }),
})
export type TelemetryMetrics = Static<typeof TelemetryMetrics>

export const PushedLicence = Type.Union([
  Type.Object({ status: Type.Literal('already_licensed'), tier: Optional(Text(100)) }),
  Type.Object({ data: Activated }),
])
export type PushedLicence = Static<typeof PushedLicence>
