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

/** Restores a website to a backup; the present state is backed up before. */
export function RestoreBackup({ id, backup, onClose }: RestoreBackupProps) {
  const [what, setWhat] = useState('all')
  const [passphrase, setPassphrase] = useState('')
  const body = {
    restore_files: what === 'files',
    restore_database: what === 'databases',
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
        The website gets exactly the files of that time: later ones are removed. The present state is kept as
        a backup of the set before-restore.
      </Text>
      <NativeSelect
        label="Restore"
        data={choices}
        value={what}
        onChange={(event) => setWhat(event.currentTarget.value)}
        data-autofocus
      />
      {backup.encrypted && (
        <PasswordInput
          label="Passphrase"
          required
          autoComplete="off"
          value={passphrase}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
      )}
    </JobForm>
  )
}
