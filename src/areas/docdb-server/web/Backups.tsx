import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { Call } from '../../../web/call.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import type { DocdbBackups } from '../model.ts'
import { docdbServer } from './api.ts'
import { useDocdbBackups } from './queries.ts'

type Backup = DocdbBackups['backups'][number]

interface Asked {
  readonly title: string
  readonly label: string
  readonly call: Call
  readonly done: string
  readonly note?: string
}

const backingUp: Asked = {
  title: 'Back up the document server',
  label: 'Back up',
  call: docdbServer.backUp(),
  done: 'The backup was written.',
}

const restoring = ({ name }: Backup): Asked => ({
  title: `Restore ${name}`,
  label: 'Restore it',
  call: docdbServer.restore({ body: { backup: name } }),
  done: `${name} was restored.`,
  note: 'What was written to these databases since is lost, except in the safety backup. Accounts are not restored.',
})

const deleting = ({ name }: Backup): Asked => ({
  title: `Delete ${name}`,
  label: 'Delete it',
  call: docdbServer.deleteBackup({ params: { name } }),
  done: `${name} was deleted.`,
})

const columnsWith = (isRunning: boolean, ask: (asked: Asked) => void): Column<Backup>[] => [
  {
    id: 'name',
    title: 'Backup',
    value: ({ name }) => name,
    cell: ({ name }) => <span className="anywhere">{name}</span>,
  },
  { id: 'date', title: 'Begun (UTC)', value: ({ date }) => date, cell: ({ date }) => date },
  { id: 'size', title: 'Size', cell: ({ size }) => size },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (backup) => (
      <Group gap="xs" justify="flex-end">
        <Button
          size="xs"
          variant="default"
          disabled={!isRunning}
          aria-label={`Restore ${backup.name}`}
          onClick={() => ask(restoring(backup))}
        >
          Restore
        </Button>
        <CutOffButton size="xs" aria-label={`Delete ${backup.name}`} onClick={() => ask(deleting(backup))}>
          Delete
        </CutOffButton>
      </Group>
    ),
  },
]

/** The backups of all databases: makes, restores and deletes them. */
export function Backups({ isRunning }: { readonly isRunning: boolean }) {
  const query = useDocdbBackups()
  const [asked, setAsked] = useState<Asked>()
  const create = (
    <Button disabled={!isRunning} onClick={() => setAsked(backingUp)}>
      Back up
    </Button>
  )
  return (
    <SectionCard title="Backups">
      <DataTable
        label="Backups"
        columns={columnsWith(isRunning, setAsked)}
        query={useWholePage(query)}
        rowKey={({ name }) => name}
        filters={query.data && query.data.length > 0 && create}
        empty={
          <Empty title="No backups yet" action={create}>
            The 10 newest are kept, on this host.
          </Empty>
        }
      />
      {asked && (
        <ChangeDialog
          title={asked.title}
          confirmLabel={asked.label}
          call={asked.call}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            setAsked(undefined)
            notify(asked.done)
            return readAgain('docdb-server', 'jobs')
          }}
        >
          {asked.note && <Text size="sm">{asked.note}</Text>}
        </ChangeDialog>
      )}
    </SectionCard>
  )
}
