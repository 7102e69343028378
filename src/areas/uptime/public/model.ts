import Type, { type Static } from 'typebox'
import { Id, OneOf, Text } from '../../../core/schemas.ts'

export const mostShown = 100
const publicStates = ['up', 'down', 'maintenance', 'unknown'] as const

const title = { description: 'Title, such as the name of the company' }
const monitorIds = {
  maxItems: mostShown,
  description: 'Monitors that are shown, in this order; none for the first 100 that are enabled, by name',
}

export const StatusPage = Type.Object({
  is_enabled: Type.Boolean({ description: 'Whether anybody may read the status, without a credential' }),
  title: Text(200, title),
  monitor_ids: Type.Array(Id, monitorIds),
})
export type StatusPage = Static<typeof StatusPage>

export const StatusPageDraft = Type.Object({
  is_enabled: StatusPage.properties.is_enabled,
  title: Text(200, { ...title, default: '' }),
  monitor_ids: Type.Array(Id, { ...monitorIds, default: [] }),
})

const Availability = Type.Number({
  minimum: 0,
  maximum: 100,
  description: 'Percent of checks that succeeded',
})

export type StatusPageDraft = Static<typeof StatusPageDraft>

/** What anybody may read: names and availability, and neither targets nor errors. */
export const PublicStatus = Type.Object({
  title: Text(200, { description: 'Title' }),
  monitors: Type.Array(
    Type.Object({
      name: Text(200, { description: 'Name' }),
      state: OneOf(publicStates, {
        description: 'unknown before the first check, and where no check can be made',
      }),
      availability: Type.Union([Availability, Type.Null()], {
        description: 'Of the days listed; null without any',
      }),
      days: Type.Array(
        Type.Object({ day: Text(10, { description: 'Day in UTC' }), availability: Availability }),
        {
          maxItems: 91,
          description: 'Each of the last 90 days with checks that has ended, the newest first',
        },
      ),
    }),
    { maxItems: mostShown },
  ),
})
export type PublicStatus = Static<typeof PublicStatus>
