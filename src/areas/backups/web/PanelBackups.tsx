import { Badge, Button, FileButton, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatBytes, formatMoment } from '../../../web/kit/format.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import { textOf } from '../../../web/wire.ts'
import { type PanelBackup, RestoreBody } from '../panel/model.ts'
import { backups } from './api.ts'
import { carryOut, usePanelBackups } from './queries.ts'
import { downloadBackup, uploadBackup } from './transfer.ts'

interface Asking {
  readonly what: 'restore' | 'delete'
  readonly backup: PanelBackup
}

const tell = (error: unknown) => notify(textOf(error), true)

/** The backups of the panel on this host. */
export function PanelBackups() {
  const query = useWholePage(usePanelBackups())
  const [asking, setAsking] = useState<Asking>()
  const create = useMutation({
    mutationFn: () => carryOut(backups.createPanelBackup({ body: {} })),
    onSuccess: ({ remote_error }) =>
      notify(
        remote_error === '' ? 'The panel was backed up.' : `Not copied to S3: ${remote_error}`,
        remote_error !== '',
      ),
    onError: tell,
  })
  const pull = useMutation({
    mutationFn: () => carryOut(backups.pullPanelBackups()),
    onSuccess: ({ count }) => notify(`${count} backups were fetched from S3.`),
    onError: tell,
  })
  const upload = useMutation({
    mutationFn: (file: File) => uploadBackup(file),
    onSuccess: () => notify('The backup was uploaded.'),
    onError: tell,
    onSettled: () => readAgain('backups'),
  })
  return (
    <section aria-label="Backups of the panel">
      <Group justify="flex-end" mb="sm">
        <Button variant="default" loading={pull.isPending} onClick={() => pull.mutate()}>
          Fetch from S3
        </Button>
        <FileButton
          onChange={(file) => file && upload.mutate(file)}
          inputProps={{ 'aria-label': 'Backup to upload' }}
        >
          {(props) => (
            <Button {...props} variant="default" loading={upload.isPending}>
              Upload
            </Button>
          )}
        </FileButton>
        <Button loading={create.isPending} onClick={() => create.mutate()}>
          Back up the panel
        </Button>
      </Group>
      <DataTable
        label="Backups of the panel"
        columns={columnsOf(setAsking)}
        query={query}
        rowKey={({ filename }) => filename}
        empty={<Empty title="No backups yet">A backup holds users, websites, settings and keys.</Empty>}
      />
      {asking && <AskDialog asking={asking} onClose={() => setAsking(undefined)} />}
    </section>
  )
}

interface AskDialogProps {
  readonly asking: Asking
  readonly onClose: () => void
}

function AskDialog({ asking: { what, backup }, onClose }: AskDialogProps) {
  const { filename, encrypted } = backup
  const params = { filename }
  const done = (message: string) => () => {
    onClose()
    notify(message)
    return readAgain('backups')
  }
  const restored = done('The panel restarts with the backup. Sign in again.')
  if (what === 'delete')
    return (
      <ChangeDialog
        title={`Delete ${filename}`}
        confirmLabel="Delete the backup"
        call={backups.deletePanelBackup({ params })}
        onClose={onClose}
        onDone={done('The backup was deleted.')}
      />
    )
  const title = `Restore the panel from ${filename}`
  if (encrypted)
    return (
      <PlannedForm
        title={title}
        confirmLabel="Restore and restart"
        schema={RestoreBody}
        text={{ passphrase: { label: 'Passphrase', hint: '' } }}
        autoComplete={{ passphrase: 'off' }}
        callOf={(body) => backups.restorePanelBackup({ params, body })}
        onClose={onClose}
        onDone={restored}
      />
    )
  return (
    <ChangeDialog
      title={title}
      confirmLabel="Restore and restart"
      call={backups.restorePanelBackup({ params, body: {} })}
      onClose={onClose}
      onDone={restored}
    >
      <Text size="sm">The panel is backed up first. Everybody has to sign in again.</Text>
    </ChangeDialog>
  )
}

const columnsOf = (onAsk: (asking: Asking) => void): Column<PanelBackup>[] => [
  {
    id: 'created_at',
    title: 'Made',
    cell: ({ created_at, filename }) => (
      <>
        <time dateTime={created_at}>{formatMoment(created_at)}</time>
        <Text size="xs" c="dimmed" ff="monospace">
          {filename}
        </Text>
      </>
    ),
  },
  {
    id: 'type',
    title: 'Content',
    cell: ({ type, encrypted }) => (
      <Badge variant="light" color={encrypted ? 'green' : 'gray'} tt="none">
        {`${type === 'db' ? 'Database' : 'Full'}${encrypted ? ', encrypted' : ''}`}
      </Badge>
    ),
  },
  { id: 'size', title: 'Size', cell: ({ size_bytes }) => formatBytes(size_bytes) },
  {
    id: 'do',
    title: 'Actions',
    align: 'right',
    cell: (backup) => (
      <Group gap={6} justify="flex-end">
        <Button
          size="compact-xs"
          variant="light"
          aria-label={`Download ${backup.filename}`}
          onClick={() => void downloadBackup(backup.filename).catch(tell)}
        >
          Download
        </Button>
        <Button
          size="compact-xs"
          variant="light"
          aria-label={`Restore ${backup.filename}`}
          onClick={() => onAsk({ what: 'restore', backup })}
        >
          Restore
        </Button>
        <Button
          size="compact-xs"
          variant="light"
          color="red"
          aria-label={`Delete ${backup.filename}`}
          onClick={() => onAsk({ what: 'delete', backup })}
        >
          Delete
        </Button>
      </Group>
    ),
  },
]
