import Type, { type Static } from 'typebox'
import { Id, Masked, OneOf, Prose, Revealed, Secret, Text, Time } from '../../../core/schemas.ts'
import { RecordSetDraft } from '../model.ts'

const ZoneName = Text(255, { minLength: 1, description: 'Name of the zone', expects: 'a domain name' })
const Serial = Type.Integer({ minimum: 0, maximum: 4_294_967_295, description: 'Serial of its SOA' })
const Url = Text(300, { description: 'Address of the panel, such as https://ns2.example.com:2087' })
const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const SyncKey = Type.Object({
  configured: Type.Boolean({ description: 'Whether other panels can push zones to this one' }),
  key_prefix: Type.Optional(Text(16, { description: 'First characters of the key' })),
  created_at: Type.Optional(Time),
  last_used: Type.Optional(Type.Union([Time, Type.Null()])),
})
export type SyncKey = Static<typeof SyncKey>

export const NewSyncKey = Type.Object({
  api_key: Revealed({ description: 'Value of X-Panel-Sync-Key; only this reply shows it' }),
  created_at: Time,
})
export type NewSyncKey = Static<typeof NewSyncKey>

export const SyncServerDraft = Type.Object({
  name: Text(100, {
    minLength: 1,
    description: 'Name of the server',
    expects: 'a name of 1 to 100 characters',
  }),
  url: Url,
  api_key: Secret({
    minLength: 1,
    maxLength: 200,
    description: 'Sync key that the other panel has generated',
  }),
})
export type SyncServerDraft = Static<typeof SyncServerDraft>

export const SyncServer = Type.Object({
  id: Id,
  name: Text(100),
  url: Url,
  api_key: Masked({ description: 'Sync key of the other panel' }),
  created_at: Time,
})
export type SyncServer = Static<typeof SyncServer>

export const SyncServerPath = Type.Object({ id: Id })

export const SyncPushDraft = Type.Object({
  zones: Type.Optional(
    Type.Array(ZoneName, {
      maxItems: 10_000,
      description: 'Zones to push; without it, all except secondary ones',
    }),
  ),
  servers: Type.Optional(
    Type.Array(Id, { maxItems: 1000, description: 'Sync servers to push to; without it, all' }),
  ),
})
export type SyncPushDraft = Static<typeof SyncPushDraft>

const Failure = Type.Union([Prose(2000), Type.Null()], { description: 'Why a zone was not pushed' })

export const SyncPushed = Type.Object({
  results: Type.Array(
    Type.Object({
      server_id: Id,
      name: Text(100),
      success: Type.Boolean({ description: 'Whether the server accepted every zone' }),
      pushed: Count('Zones that it accepted'),
      failed: Count('Zones that it did not accept'),
      message: Failure,
    }),
    { maxItems: 1000, description: 'One result for each sync server' },
  ),
})
export type SyncPushed = Static<typeof SyncPushed>

export const SyncStatus = Type.Object({
  servers: Type.Array(
    Type.Object({
      id: Id,
      name: Text(100),
      url: Url,
      last_sync: Type.Union([Time, Type.Null()], { description: 'When a zone was last pushed to it' }),
      zones: Type.Array(
        Type.Object({
          name: ZoneName,
          serial: Serial,
          status: OneOf(['synced', 'pending', 'failed'], {
            description: 'pending: not pushed since its last change; failed: the last push failed',
          }),
          message: Failure,
          pushed_at: Type.Union([Time, Type.Null()]),
        }),
        { maxItems: 1_000_000 },
      ),
    }),
    { maxItems: 1000, description: 'Servers that this panel pushes to' },
  ),
  received: Type.Array(
    Type.Object({
      name: ZoneName,
      serial: Serial,
      absent: Type.Boolean({ description: 'Whether the other panel has removed it' }),
      received_at: Time,
    }),
    { maxItems: 1_000_000, description: 'Zones that other panels have pushed to this one' },
  ),
})
export type SyncStatus = Static<typeof SyncStatus>

export const SyncedZone = Type.Object({
  zone_name: ZoneName,
  change_id: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Greater with each change of the zone; one that is not greater is not applied again',
  }),
  serial: Type.Optional(Serial),
  absent: Type.Optional(Type.Boolean({ default: false, description: 'Removes the zone' })),
  rrsets: Type.Optional(
    Type.Array(RecordSetDraft, { maxItems: 200_000, description: 'All record sets of the zone' }),
  ),
})
export type SyncedZone = Static<typeof SyncedZone>

export const SyncZoneApplied = Type.Object({
  success: Type.Literal(true),
  applied: Type.Boolean({ description: 'False for a change that was applied before, or is older' }),
  changed: Count('Record sets that were added, replaced or removed'),
})
export type SyncZoneApplied = Static<typeof SyncZoneApplied>

/** Of a zone file: about 200,000 records. */
const fileLength = 24 * 1024 * 1024

export const BindImport = Type.Object({
  zone_name: ZoneName,
  bind_data: Prose(fileLength, {
    description: 'Zone file (RFC 1035) with $ORIGIN, $TTL and $GENERATE; $INCLUDE is refused',
    expects: 'the text of a zone file',
  }),
})
export type BindImport = Static<typeof BindImport>
