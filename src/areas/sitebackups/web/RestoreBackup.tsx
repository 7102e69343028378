import { NativeSelect, PasswordInput, Text } from '@mantine/core'
import { useState } from 'react'
import { formatMoment } from '../../../web/kit/format.ts'
import type { Backup } from '../model.ts'
import { sitebackups } from './api.ts'
import { JobForm } from './JobForm.tsx'

interface RestoreBackupProps {
  readonly id: number
  readonly backup: Backup
  readonly onClose: () => void
}

const choices = [
  { value: 'all', label: 'Files and databases' },
  { value: 'files', label: 'Files' },
  { value: 'databases', label: 'Databases' },
]

const sources = [
  { value: 'local', label: 'This host' },
  { value: 's3', label: 'S3' },
]

const destinations = [
  { value: 'website', label: 'Website' },
  { value: 'folder', label: 'New folder, for inspection' },
]

/** Restores a website to a backup, or the backup into a folder; the present state is backed up before. */
export function RestoreBackup({ id, backup, onClose }: RestoreBackupProps) {
  const [what, setWhat] = useState('all')
  const [destination, setDestination] = useState('website')
  const isInspection = destination === 'folder'
  const isOnBoth = backup.source === 'local' && backup.is_copied
  const [source, setSource] = useState('local')
  const isFromS3 = isOnBoth && source === 's3'
  const [passphrase, setPassphrase] = useState('')
  const body = {
    restore_files: what === 'files',
    restore_database: what === 'databases',
    for_inspection: isInspection,
    ...(isFromS3 && { source: 's3' as const }),
    ...(passphrase !== '' && { passphrase }),
  }
  return (
    <JobForm
      title={`Restore ${formatMoment(backup.time_mark)}`}
      submitLabel="Restore"
      call={sitebackups.restoreWebsiteBackup({ params: { id, name: backup.name }, body })}
      onClose={onClose}
    >
      <Text size="sm">
        {isInspection
          ? 'Files and dumps are unpacked into a new folder below restores in the home. The website stays as it is.'
          : 'The website gets exactly the files of that time: later ones are removed. The present state is kept as a backup of the set before-restore.'}
      </Text>
      <NativeSelect
        label="Restore"
        data={choices}
        value={what}
        onChange={(event) => setWhat(event.currentTarget.value)}
        data-autofocus
      />
      <NativeSelect
        label="Destination"
        data={destinations}
        value={destination}
        onChange={(event) => setDestination(event.currentTarget.value)}
      />
      {isOnBoth && (
        <NativeSelect
          label="Source"
          data={sources}
          value={source}
          onChange={(event) => setSource(event.currentTarget.value)}
        />
      )}
      {(backup.encrypted || isFromS3) && (
        <PasswordInput
          label="Passphrase"
          description={backup.encrypted ? undefined : 'If the copy on S3 is encrypted'}
          required={backup.encrypted}
          autoComplete="off"
          value={passphrase}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
      )}
    </JobForm>
  )
}
