import { Badge, Button, Group, Text } from '@mantine/core'
import { IconDeviceFloppy } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatBytes, formatMoment } from '../../../web/kit/format.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import { textOf } from '../../../web/wire.ts'
import type { Backup } from '../model.ts'
import { AutoBackups } from './AutoBackups.tsx'
import { LbproxyFrame } from './LbproxyFrame.tsx'
import { lbproxy } from './api.ts'
import { carryOut, type Status, useBackups } from './queries.ts'
import classes from './BackupsPage.module.css'

/** The backups of the configuration, the preview of a restore, and the schedule. */
export function BackupsPage() {
  return <LbproxyFrame>{(status) => <Backups status={status} />}</LbproxyFrame>
}

interface Asking {
  readonly what: 'restore' | 'remove'
  readonly backup: Backup
}

function Backups({ status }: { readonly status: Status }) {
  const backups = useWholePage(useBackups())
  const [asking, setAsking] = useState<Asking>()
  const backUp = useMutation({
    mutationFn: () => carryOut(lbproxy.createBackup()),
    onSuccess: () => notify('The configuration was backed up.'),
    onError: (error) => notify(textOf(error), true),
  })
  return (
    <>
      <Group justify="flex-end">
        <Button
          leftSection={<IconDeviceFloppy size={16} aria-hidden />}
          loading={backUp.isPending}
          onClick={() => backUp.mutate()}
        >
          Back up now
        </Button>
      </Group>
      <div className={classes.sides}>
        <DataTable
          label="Backups"
          columns={columnsOf(setAsking)}
          query={backups}
          rowKey={({ name }) => name}
          empty={
            <Empty title="No backups yet">
              A backup is made before each restore, and on the schedule that you set.
            </Empty>
          }
        />
        <AutoBackups status={status} />
      </div>
      {asking && <AskDialog asking={asking} onClose={() => setAsking(undefined)} />}
    </>
  )
}

function AskDialog({
  asking: { what, backup },
  onClose,
}: {
  readonly asking: Asking
  readonly onClose: () => void
}) {
  const when = formatMoment(backup.date)
  const done = () => {
    onClose()
    notify(what === 'restore' ? `The configuration of ${when} is live again.` : 'The backup was deleted.')
    return readAgain('lbproxy')
  }
  if (what === 'remove')
    return (
      <ChangeDialog
        title={`Delete the backup of ${when}`}
        confirmLabel="Delete the backup"
        call={lbproxy.deleteBackup({ params: { name: backup.name } })}
        onClose={onClose}
        onDone={done}
      />
    )
  return (
    <ChangeDialog
      title={`Restore the backup of ${when}`}
      confirmLabel="Restore it"
      call={lbproxy.restoreBackup({ params: { name: backup.name } })}
      onClose={onClose}
      onDone={done}
    >
      <Text size="sm">
        HAProxy checks it first. What runs now is kept as a backup, so that this can be taken back.
      </Text>
    </ChangeDialog>
  )
}

const kinds = {
  manual: ['Manual', 'indigo'],
  auto: ['Automatic', 'gray'],
  'pre-restore': ['Before a restore', 'orange'],
} as const

function kindOf(name: string): readonly [string, string] {
  const [, kind] = Object.entries(kinds).find(([word]) => name.startsWith(`${word}-`)) ?? [
    '',
    ['Backup', 'gray'] as const,
  ]
  return kind
}

const columnsOf = (onAsk: (asking: Asking) => void): Column<Backup>[] => [
  {
    id: 'date',
    title: 'Made',
    cell: ({ date, name }) => (
      <>
        <time dateTime={date}>{formatMoment(date)}</time>
        <Text size="xs" c="dimmed" ff="monospace">
          {name}
        </Text>
      </>
    ),
  },
  {
    id: 'kind',
    title: 'How',
    cell: ({ name }) => (
      <Badge variant="light" color={kindOf(name)[1]} tt="none">
        {kindOf(name)[0]}
      </Badge>
    ),
  },
  { id: 'size', title: 'Size', cell: ({ size }) => formatBytes(size) },
  {
    id: 'do',
    title: 'Actions',
    align: 'right',
    cell: (backup) => (
      <Group gap={6} justify="flex-end">
        <Button
          size="compact-xs"
          variant="light"
          aria-label={`Compare and restore the backup ${backup.name}`}
          onClick={() => onAsk({ what: 'restore', backup })}
        >
          Compare and restore
        </Button>
        <Button
          size="compact-xs"
          variant="light"
          color="red"
          aria-label={`Delete the backup ${backup.name}`}
          onClick={() => onAsk({ what: 'remove', backup })}
        >
          Delete
        </Button>
      </Group>
    ),
  },
]
