import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { queryClient, readAgain } from '../../../web/queries.ts'
import { SettingsTabs } from '../../settings/web/SettingsTabs.tsx'
import { type Snapshot, SnapshotDraft } from '../model.ts'
import { snapshots } from './api.ts'
import { useSnapshots } from './queries.ts'

type Asked = 'create' | { readonly what: 'restore' | 'delete'; readonly name: string }

/** The snapshots of the managed files, and what a restore would change. */
export function SnapshotsPage() {
  const { data, ...query } = useSnapshots()
  const [asked, setAsked] = useState<Asked>()
  return (
    <Page
      title="Snapshots"
      about="Named copies of the configuration of nginx, HAProxy, Exim and rsyslog, and of the store of the panel. A restore shows what differs first."
      actions={<Button onClick={() => setAsked('create')}>Make a snapshot</Button>}
    >
      <SettingsTabs />
      <DataTable
        label="Snapshots"
        columns={columnsOf(setAsked)}
        query={useWholePage({ ...query, data: data?.snapshots })}
        rowKey={({ name }) => name}
        empty={<Empty title="No snapshots yet">Make one before a larger change.</Empty>}
      />
      {asked && <AskDialog asked={asked} onClose={() => setAsked(undefined)} />}
    </Page>
  )
}

interface AskDialogProps {
  readonly asked: Asked
  readonly onClose: () => void
}

function AskDialog({ asked, onClose }: AskDialogProps) {
  const done = (message: string) => () => {
    onClose()
    notify(message)
    return readAgain('snapshots')
  }
  if (asked === 'create')
    return (
      <PlannedForm
        title="Make a snapshot"
        confirmLabel="Make the snapshot"
        schema={SnapshotDraft}
        text={{
          name: { label: 'Name', hint: 'Letters, digits, dots, _ and -' },
          comment: { label: 'Comment', hint: 'What it is for' },
        }}
        autoComplete={{ name: 'off', comment: 'off' }}
        callOf={(body) => snapshots.createSnapshot({ body })}
        onClose={onClose}
        onDone={done('The snapshot was made.')}
      />
    )
  const { name, what } = asked
  const params = { name }
  if (what === 'delete')
    return (
      <ChangeDialog
        title={`Delete ${name}`}
        confirmLabel="Delete the snapshot"
        call={snapshots.deleteSnapshot({ params })}
        onClose={onClose}
        onDone={done('The snapshot was deleted.')}
      />
    )
  return (
    <ChangeDialog
      title={`Restore ${name}`}
      confirmLabel="Restore the snapshot"
      call={snapshots.restoreSnapshot({ params })}
      onClose={onClose}
      onDone={() => {
        onClose()
        notify('The snapshot was restored.')
        return queryClient.invalidateQueries()
      }}
    >
      <Text size="sm">Users, keys and the activity stay as they are.</Text>
    </ChangeDialog>
  )
}

const mostNamed = 5

const columnsOf = (onAsk: (asked: Asked) => void): Column<Snapshot>[] => [
  {
    id: 'name',
    title: 'Name',
    value: ({ name }) => name,
    cell: ({ name, comment, left_out }) => (
      <>
        <Text size="sm" className="anywhere">
          {name}
        </Text>
        <Text size="xs" c="dimmed" className="anywhere">
          {comment}
        </Text>
        {left_out.length > 0 && (
          <Text size="xs" className="anywhere">
            Too large, left out: {left_out.slice(0, mostNamed).join(', ')}
            {left_out.length > mostNamed && ` and ${left_out.length - mostNamed} more`}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'made',
    title: 'Made',
    value: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Moment time={created_at} />,
  },
  { id: 'files', title: 'Files', value: ({ files }) => files, cell: ({ files }) => files },
  {
    id: 'do',
    title: 'Actions',
    align: 'right',
    cell: ({ name }) => (
      <Group gap={6} justify="flex-end">
        <Button
          size="compact-xs"
          variant="light"
          aria-label={`Restore ${name}`}
          onClick={() => onAsk({ what: 'restore', name })}
        >
          Restore
        </Button>
        <Button
          size="compact-xs"
          variant="light"
          color="red"
          aria-label={`Delete ${name}`}
          onClick={() => onAsk({ what: 'delete', name })}
        >
          Delete
        </Button>
      </Group>
    ),
  },
]
