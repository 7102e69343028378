import { ActionIcon, Group, Menu, Text } from '@mantine/core'
import { IconArchive, IconDots, IconDownload, IconFile, IconFolder, IconLink, IconPencil, IconTrash } from '@tabler/icons-react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatBytes } from '../../../web/kit/format.ts'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import type { ListState } from '../../../web/kit/list-state.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { wordsOf } from '../../../web/wire.ts'
import type { FileAction, Place } from './FileDialogs.tsx'
import { isArchive, joinPath } from './paths.ts'
import { download, type Entry, type useFolder } from './queries.ts'

interface FileTableProps {
  readonly query: ReturnType<typeof useFolder>
  readonly list: ListState
  readonly place: Place
  readonly onAction: (action: FileAction) => void
}

/** A folder's entries, and what can be done with each. */
export function FileTable({ query, list, place, onAction }: FileTableProps) {
  const columns: Column<Entry>[] = [
    { id: 'name', title: 'Name', sort: 'name', cell: (entry) => <EntryName entry={entry} place={place} /> },
    {
      id: 'size',
      title: 'Size',
      sort: 'size_bytes',
      align: 'right',
      cell: ({ type, size_bytes }) => (type === 'folder' ? '–' : formatBytes(size_bytes)),
    },
    { id: 'modified', title: 'Changed', sort: 'modified_at', cell: ({ modified_at }) => <Moment time={modified_at} /> },
    {
      id: 'mode',
      title: 'Mode',
      cell: ({ mode, owner }) => (
        <Text size="sm" ff="monospace">
          {mode} {owner}
        </Text>
      ),
    },
    { id: 'do', title: 'Action', align: 'right', cell: (entry) => <EntryMenu entry={entry} place={place} onAction={onAction} /> },
  ]
  return (
    <DataTable
      label="Files"
      columns={columns}
      query={query}
      rowKey={({ name, name_b64 }) => name_b64 ?? name}
      list={list}
      filters={<span />}
      empty={<Empty title="This folder is empty">Upload files, or make a folder.</Empty>}
    />
  )
}

function EntryName({ entry, place }: { readonly entry: Entry; readonly place: Place }) {
  const path = joinPath(place.path, entry.name)
  const Icon = entry.type === 'folder' ? IconFolder : entry.type === 'link' ? IconLink : IconFile
  return (
    <Group gap="xs" wrap="nowrap">
      <Icon size={18} stroke={1.6} aria-label={entry.type} role="img" />
      {entry.type === 'folder' && (
        <TextLink to="/files" search={{ ...place.search, path }}>
          {entry.name}
        </TextLink>
      )}
      {entry.type === 'file' && (
        <TextLink to="/files/edit" search={{ ...place.search, path }}>
          {entry.name}
        </TextLink>
      )}
      {entry.type !== 'folder' && entry.type !== 'file' && (
        <Text size="sm">
          {entry.name}
          {entry.link_target && ` → ${entry.link_target}`}
        </Text>
      )}
    </Group>
  )
}

function EntryMenu({ entry, place, onAction }: Omit<FileTableProps, 'query' | 'list'> & { readonly entry: Entry }) {
  const path = joinPath(place.path, entry.name)
  const save = () => void download(place.whose, path).catch((error: unknown) => notify(wordsOf(error), true))
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${entry.name}`}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {entry.type === 'file' && (
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onAction({ kind: 'edit', path })}>
            Edit
          </Menu.Item>
        )}
        {entry.type === 'file' && (
          <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
            Download
          </Menu.Item>
        )}
        {isArchive(entry.name) && (
          <Menu.Item leftSection={<IconArchive size={16} aria-hidden />} onClick={() => onAction({ kind: 'extract', path })}>
            Unpack here
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => onAction({ kind: 'delete', path })}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
