import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatBytes } from '../../../web/kit/format.ts'
import type { ListState } from '../../../web/kit/list-state.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import type { Backup } from '../model.ts'
import { sitebackups } from './api.ts'
import { locationOf } from './location.ts'
import { readBackupsAgain, useBackups } from './queries.ts'
import { RestoreBackup } from './RestoreBackup.tsx'

interface BackupTableProps {
  readonly id: number
  readonly list: ListState
}

interface Asked {
  readonly kind: 'restore' | 'delete'
  readonly backup: Backup
}

/** The points to which a website can be restored. */
export function BackupTable({ id, list }: BackupTableProps) {
  const query = useBackups(id, list.asked)
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  return (
    <>
      <DataTable
        label="Backups"
        columns={[...columns, actions(setAsked)]}
        query={query}
        rowKey={({ name }) => name}
        list={list}
        searchLabel="Search backups"
        empty={
          <Empty title={list.search ? 'Nothing found' : 'No backups yet'}>
            {list.search ? 'No backup matches.' : 'Back up now, or give a set a schedule.'}
          </Empty>
        }
      />
      {asked?.kind === 'restore' && <RestoreBackup id={id} backup={asked.backup} onClose={close} />}
      {asked?.kind === 'delete' && <DeleteBackup id={id} name={asked.backup.name} onClose={close} />}
    </>
  )
}

const columns: readonly Column<Backup>[] = [
  {
    id: 'time_mark',
    title: 'Time',
    sort: 'time_mark',
    value: ({ time_mark: time }) => time,
    cell: ({ time_mark: time, name }) => (
      <>
        <Moment time={time} />
        <Text size="xs" c="dimmed" className="anywhere">
          {name}
        </Text>
      </>
    ),
  },
  { id: 'set', title: 'Set', cell: ({ set }) => set },
  {
    id: 'content',
    title: 'Content',
    cell: (backup) => (
      <>
        <Text size="sm">{contentOf(backup)}</Text>
        {!backup.complete && (
          <Text size="xs" c="dimmed" className="anywhere">
            Incomplete: {backup.omitted_count} not readable, or of another account:{' '}
            {backup.omitted.slice(0, 3).join(', ')}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'size',
    title: 'Size',
    cell: ({ size_bytes: size, is_full }) => `${formatBytes(size)}, ${is_full ? 'full' : 'changes'}`,
  },
  {
    id: 'location',
    title: 'Location',
    cell: (backup) => `${locationOf(backup)}${backup.encrypted ? ', encrypted' : ''}`,
  },
]

function contentOf({ has_files, file_count, databases }: Backup): string {
  const files = has_files ? [`${file_count} files and folders`] : []
  return [...files, ...databases].join(', ') || 'Settings'
}

const actions = (ask: (asked: Asked) => void): Column<Backup> => ({
  id: 'do',
  title: 'Action',
  align: 'right',
  cell: (backup) => (
    <Group gap="xs" justify="flex-end">
      <Button
        size="xs"
        variant="default"
        aria-label={`Restore ${backup.name}`}
        onClick={() => ask({ kind: 'restore', backup })}
      >
        Restore
      </Button>
      <CutOffButton
        size="xs"
        aria-label={`Delete ${backup.name}`}
        onClick={() => ask({ kind: 'delete', backup })}
      >
        Delete
      </CutOffButton>
    </Group>
  ),
})

interface DeleteBackupProps {
  readonly id: number
  readonly name: string
  readonly onClose: () => void
}

function DeleteBackup({ id, name, onClose }: DeleteBackupProps) {
  return (
    <ChangeDialog
      title={`Delete ${name}`}
      confirmLabel="Delete the backup"
      call={sitebackups.deleteWebsiteBackup({ params: { id, name } })}
      onClose={onClose}
      onDone={() => {
        onClose()
        notify('The backup was deleted.')
        void readBackupsAgain()
      }}
    />
  )
}
