import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMemo } from 'react'
import { type Column, DataTable } from '../../../../web/kit/DataTable.tsx'
import { formatBytes } from '../../../../web/kit/format.ts'
import { useListState } from '../../../../web/kit/list-state.ts'
import { Moment } from '../../../../web/kit/Moment.tsx'
import { Empty } from '../../../../web/kit/states.tsx'
import { ApiError, textOf } from '../../../../web/wire.ts'
import { EntryIcon } from '../list/EntryIcon.tsx'
import { nameOf } from '../paths.ts'
import type { Whose } from '../queries.ts'
import { type LabelledEntry, labelled, pageOfEntries } from './arrange-entries.ts'
import { type ArchiveListing, useArchive } from './queries.ts'

/** The entries of an archive as a list, and how much of it was read. */
export function ArchiveEntries({ whose, path }: { readonly whose: Whose; readonly path: string }) {
  const archive = useArchive(whose, path)
  const list = useListState('path')
  const entries = useMemo(() => archive.data && labelled(archive.data.items), [archive.data])
  const { error, isFetching, refetch } = archive
  if (error instanceof ApiError && error.status === 400)
    return <Empty title="This archive cannot be opened">{textOf(error)}</Empty>
  const page = entries && pageOfEntries(entries, list.asked)
  return (
    <Stack gap="sm">
      {archive.data && <Extent archive={archive.data} />}
      <DataTable
        label="Entries of the archive"
        columns={columns}
        query={{ data: page, error, isFetching, refetch }}
        rowKey={({ at }) => at}
        list={list}
        searchLabel="Filter by path"
        empty={<Empty title="No entry matches the filter">Clear it to see the other entries.</Empty>}
      />
    </Stack>
  )
}

function Extent({ archive: { items, total, size_bytes: sizeBytes, cut_by: cutBy } }: ExtentProps) {
  const isCut = cutBy !== undefined
  const count = `${total.toLocaleString('en')} ${total === 1 ? 'entry' : 'entries'}`
  const shows = items.length < total ? ` · shows the first ${items.length.toLocaleString('en')}` : ''
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {`${isCut ? 'At least ' : ''}${count} · ${formatBytes(sizeBytes)} unpacked${shows}`}
      </Text>
      {isCut && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title="The list is incomplete">
          <Text size="sm" className="anywhere">
            Reading the archive ended early: {cutBy}.
          </Text>
        </Alert>
      )}
    </>
  )
}

interface ExtentProps {
  readonly archive: ArchiveListing
}

const types = { file: 'File', folder: 'Folder', link: 'Link' } as const

const columns: readonly Column<LabelledEntry>[] = [
  {
    id: 'path',
    title: 'Path',
    sort: 'path',
    cell: ({ label, type }) => (
      <span className="anywhere">
        <EntryIcon item={{ name: nameOf(label), type }} size={16} /> {label}
      </span>
    ),
  },
  { id: 'type', title: 'Type', sort: 'type', cell: ({ type }) => types[type] },
  {
    id: 'size_bytes',
    title: 'Size',
    sort: 'size_bytes',
    align: 'right',
    cell: ({ type, size_bytes: sizeBytes }) => (type === 'file' ? formatBytes(sizeBytes) : '–'),
  },
  {
    id: 'modified_at',
    title: 'Modified',
    sort: 'modified_at',
    cell: ({ modified_at: time }) => <Moment time={time} />,
  },
]
