import { Button } from '@mantine/core'
import { useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatBytes } from '../../../web/kit/format.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { ContainersFrame } from './ContainersFrame.tsx'
import { RestoreDialog } from './Dialogs.tsx'
import { useBackups } from './queries.ts'

interface Row {
  readonly image: string
  readonly size: number
  readonly created: string
  /** Empty for a backup of a container without volumes. */
  readonly folder: string
  readonly archives: number
}

const columnsOf = (restore: (row: Row) => void): readonly Column<Row>[] => [
  { id: 'image', title: 'Backup', value: ({ image }) => image, cell: ({ image }) => image },
  {
    id: 'created',
    title: 'Created',
    value: ({ created }) => created,
    cell: ({ created }) => <Moment time={created} />,
  },
  { id: 'size', title: 'Size', value: ({ size }) => size, cell: ({ size }) => formatBytes(size) },
  { id: 'archives', title: 'Volumes', value: ({ archives }) => archives, cell: ({ archives }) => archives },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (row) => (
      <Button size="xs" variant="default" aria-label={`Restore: ${row.image}`} onClick={() => restore(row)}>
        Restore
      </Button>
    ),
  },
]

/** The backups of containers. */
export function BackupsPage() {
  const { data, ...query } = useBackups()
  const [restoring, setRestoring] = useState<Row>()
  const rows = data?.images.map(({ image, size, created }) => {
    const [, stamp = ''] = image.split(/:(?=[^/]*$)/)
    const own = data.volume_archives.filter(({ folder }) => folder.endsWith(`-${stamp}`))
    return { image, size, created, folder: own[0]?.folder ?? '', archives: own.length }
  })
  return (
    <ContainersFrame>
      <DataTable
        label="Backups of containers"
        columns={columnsOf(setRestoring)}
        query={useWholePage({ ...query, data: rows })}
        rowKey={({ image }) => image}
        empty={<Empty title="No backups yet">Back up a container from its page.</Empty>}
      />
      {restoring && <RestoreDialog backup={restoring} onClose={() => setRestoring(undefined)} />}
    </ContainersFrame>
  )
}
