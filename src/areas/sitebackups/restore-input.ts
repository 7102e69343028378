import Type, { type Static } from 'typebox'
import { Id, OneOf, Secret } from '../../core/schemas.ts'

/** The input of a restore: what is restored to where, with the ids that were drawn for what is missing. */
export const RestoreInput = Type.Object({
  username: Type.String({ maxLength: 32 }),
  domain: Type.String({ maxLength: 253 }),
  name: Type.String({ maxLength: 255 }),
  restore_files: Type.Boolean(),
  restore_database: Type.Boolean(),
  /** Takes the backup from S3 also where this host has it. */
  source: Type.Optional(OneOf(['local', 's3'])),
  passphrase: Type.Optional(Secret()),
  /** True to restore into a new folder of the home, and to leave the website as it is. */
  for_inspection: Type.Optional(Type.Boolean()),
  /** Of the website, if there is none of the domain. */
  website_id: Id,
  /** Of databases that are missing. */
  database_ids: Type.Array(Id, { maxItems: 1000 }),
})
export type RestoreInput = Static<typeof RestoreInput>
