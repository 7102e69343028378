import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { type BackupSet, SetDraft } from '../model.ts'
import { sitebackups } from './api.ts'
import { readBackupsAgain, useBackupSets } from './queries.ts'

interface Asked {
  readonly kind: 'save' | 'delete'
  readonly set?: BackupSet
}

/** The whole list as one page. */
const pageOf = (items: readonly BackupSet[]) => ({
  items,
  total: items.length,
  page: 1,
  per_page: items.length,
})

/** The sets of a website: what is backed up, when, and how long backups are kept. */
export function BackupSets({ id }: { readonly id: number }) {
  const { data, ...query } = useBackupSets(id)
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  return (
    <SectionCard title="Sets">
      <Stack gap="md">
        <DataTable
          label="Sets"
          columns={columnsOf(setAsked)}
          query={{ ...query, data: data && pageOf(data.sets) }}
          rowKey={({ name }) => name}
          empty={null}
        />
        <Group>
          <Button variant="default" onClick={() => setAsked({ kind: 'save' })}>
            New set
          </Button>
        </Group>
      </Stack>
      {asked?.kind === 'save' && <SaveSet id={id} onClose={close} {...(asked.set && { set: asked.set })} />}
      {asked?.kind === 'delete' && asked.set && <DeleteSet id={id} name={asked.set.name} onClose={close} />}
    </SectionCard>
  )
}

const columnsOf = (ask: (asked: Asked) => void): readonly Column<BackupSet>[] => [
  { id: 'name', title: 'Name', cell: ({ name }) => name },
  {
    id: 'content',
    title: 'Content',
    cell: ({ files, databases }) => [files && 'Files', databases && 'Databases'].filter(Boolean).join(', '),
  },
  {
    id: 'schedule',
    title: 'Schedule',
    cell: ({ schedule }) => (schedule === '' ? 'On demand' : <code>{schedule}</code>),
  },
  { id: 'kept', title: 'Kept', cell: keptOf },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (set) => (
      <Group gap="xs" justify="flex-end">
        <Button
          size="xs"
          variant="default"
          aria-label={`Edit ${set.name}`}
          onClick={() => ask({ kind: 'save', set })}
        >
          Edit
        </Button>
        {set.name !== 'default' && (
          <CutOffButton
            size="xs"
            aria-label={`Delete the set ${set.name}`}
            onClick={() => ask({ kind: 'delete', set })}
          >
            Delete
          </CutOffButton>
        )}
      </Group>
    ),
  },
]

function keptOf({ keep, keep_days: days }: BackupSet): string {
  if (days === 0) return String(keep)
  return `${keep}, at most ${days} ${days === 1 ? 'day' : 'days'} old`
}

interface SaveSetProps {
  readonly id: number
  readonly set?: BackupSet
  readonly onClose: () => void
}

function SaveSet({ id, set, onClose }: SaveSetProps) {
  return (
    <PlannedForm
      title={set === undefined ? 'New set' : `Edit ${set.name}`}
      confirmLabel="Save the set"
      schema={SetDraft}
      {...(set && { initial: set })}
      text={{
        name: { label: 'Name' },
        files: { label: 'Files' },
        databases: { label: 'Databases' },
        schedule: {
          label: 'Schedule',
          hint: 'Minute, hour, day, month, weekday: 0 3 * * * is each night at 3:00',
        },
        keep: { label: 'Backups to keep' },
        keep_days: {
          label: 'Days to keep',
          hint: '0 keeps them at any age; the newest of the set is always kept',
        },
      }}
      callOf={(body: SetDraft) => sitebackups.saveBackupSet({ params: { id }, body })}
      onClose={onClose}
      onDone={() => {
        onClose()
        notify('The set was saved.')
        void readBackupsAgain()
      }}
    />
  )
}

interface DeleteSetProps {
  readonly id: number
  readonly name: string
  readonly onClose: () => void
}

function DeleteSet({ id, name, onClose }: DeleteSetProps) {
  return (
    <ChangeDialog
      title={`Delete the set ${name}`}
      confirmLabel="Delete the set"
      call={sitebackups.deleteBackupSet({ params: { id, name } })}
      onClose={onClose}
      onDone={() => {
        onClose()
        notify('The set was deleted; its backups stay.')
        void readBackupsAgain()
      }}
    />
  )
}
