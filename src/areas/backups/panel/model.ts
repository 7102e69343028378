import Type, { type Static } from 'typebox'
import { OneOf, Optional, Prose, Secret, Text, Time } from '../../../core/schemas.ts'

const Filename = Text(300, { description: 'Name of the file' })

export const BackupPath = Type.Object({ filename: Filename })

export const PanelBackup = Type.Object({
  filename: Filename,
  type: OneOf(['full', 'db'], { description: 'db: the database alone, without the key of its secrets' }),
  size_bytes: Type.Integer({ minimum: 0, description: 'Size' }),
  encrypted: Type.Boolean({ description: 'Whether a passphrase is needed to restore it' }),
  created_at: Time,
})
export type PanelBackup = Static<typeof PanelBackup>

export const PanelBackupList = Type.Array(PanelBackup, { maxItems: 10_000 })

export const PanelBackupDraft = Type.Object({
  type: Optional(
    OneOf(['full', 'db'], {
      description:
        'full (default): what a fresh host needs; db: the database alone, which only this host can restore',
    }),
  ),
})
export type PanelBackupDraft = Static<typeof PanelBackupDraft>

export const PanelBackupMade = Type.Object({
  ...PanelBackup.properties,
  remote: Type.Boolean({ description: 'Whether it was copied to S3' }),
  remote_error: Prose(1000, { description: 'Why it could not be copied to S3; empty otherwise' }),
})
export type PanelBackupMade = Static<typeof PanelBackupMade>

export const UploadedBackup = Type.Object({
  type: OneOf(['full', 'db'], { description: 'db for .db, full for the others' }),
})
export type UploadedBackup = Static<typeof UploadedBackup>

export const Pulled = Type.Object({
  count: Type.Integer({ minimum: 0, description: 'How many backups were fetched' }),
})
export type Pulled = Static<typeof Pulled>

export const RestoreBody = Type.Object({
  passphrase: Optional(Secret({ description: 'Of an encrypted backup' })),
})
export type RestoreBody = Static<typeof RestoreBody>

const Names = (description: string) => Type.Array(Text(200), { maxItems: 10_000, description })

export const Restored = Type.Object({
  success: Type.Literal(true),
  pre_restore_file: Type.String({ maxLength: 300, description: 'Backup that was made before the restore' }),
  message: Text(1000, { description: 'What happens next' }),
  missing_accounts: Names('Linux accounts of the backup that this host does not have'),
  missing_programs: Names('Programs that the backed up host had and this one does not have'),
})
export type Restored = Static<typeof Restored>
