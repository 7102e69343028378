import { Button, Group, Text } from '@mantine/core'
import { IconClearAll, IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeDialog } from '../../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../../web/kit/DataTable.tsx'
import { formatBytes, humanize } from '../../../../web/kit/format.ts'
import { useListState } from '../../../../web/kit/list-state.ts'
import { Moment } from '../../../../web/kit/Moment.tsx'
import { notify } from '../../../../web/kit/notices.tsx'
import { RowLink } from '../../../../web/kit/RowLink.tsx'
import { Empty } from '../../../../web/kit/states.tsx'
import { readAgain } from '../../../../web/queries.ts'
import { calls } from '../calls.ts'
import { FilesFrame } from '../FilesFrame.tsx'
import { pathFrom, shown } from '../names.ts'
import { nameOf, parentOf } from '../paths.ts'
import { isNamed, type Place, usePlace } from '../whose.ts'
import { WhoseFiles } from '../WhoseFiles.tsx'
import classes from '../files.module.css'
import { useVersions, type Version } from './queries.ts'
import { VersionDialog } from './VersionDialog.tsx'

/** Versions that the panel kept before it replaced files, of one file or of all. */
export function HistoryPage() {
  const place = usePlace()
  return isNamed(place) ? <History key={place.path} place={place} /> : <WhoseFiles place={place} />
}

function History({ place }: { readonly place: Place }) {
  const { whose, path } = place
  const list = useListState('-replaced_at')
  const versions = useVersions(whose, path, list.asked)
  const [chosen, setChosen] = useState<Version>()
  const [isClearing, setClearing] = useState(false)
  const clear = (
    <Button
      variant="default"
      leftSection={<IconClearAll size={16} aria-hidden />}
      disabled={!versions.data?.total}
      onClick={() => setClearing(true)}
    >
      Clear the history
    </Button>
  )
  const done = async ({
    versions: count,
    freed_bytes: freed,
  }: {
    readonly versions: number
    readonly freed_bytes: number
  }) => {
    setClearing(false)
    notify(
      `${count === 1 ? 'One version was' : `${count.toLocaleString()} versions were`} removed, ${formatBytes(freed)} are free again.`,
    )
    await readAgain('history')
  }
  return (
    <FilesFrame place={place} tab="history" actions={clear}>
      {path !== '' && <OneFile place={place} />}
      <DataTable
        label="Versions"
        columns={columnsOf(place, setChosen)}
        query={versions}
        rowKey={({ id }) => id}
        list={list}
        {...(path === '' && { searchLabel: 'Search by path' })}
        empty={
          <Empty title="No earlier versions">
            A version is kept when a file is replaced through the panel: saved, uploaded over, or restored.
          </Empty>
        }
      />
      {chosen && (
        <VersionDialog
          key={chosen.id}
          place={place}
          version={chosen}
          others={versions.data?.items ?? []}
          onClose={() => setChosen(undefined)}
        />
      )}
      {isClearing && (
        <ChangeDialog
          title={path === '' ? 'Clear the whole history' : `Clear the history of ${shown(nameOf(path))}`}
          confirmLabel="Clear the history"
          call={calls.clearHistory(whose, path)}
          onClose={() => setClearing(false)}
          onDone={done}
        >
          <Text size="sm">The files stay as they are; their earlier versions are deleted.</Text>
        </ChangeDialog>
      )}
    </FilesFrame>
  )
}

function OneFile({ place: { path, at } }: { readonly place: Place }) {
  return (
    <Group gap="xs" mb="md">
      <Text size="sm">
        Versions of <b className="anywhere">{shown(path)}</b>
      </Text>
      <Text size="sm">
        <RowLink to="/files/history" search={at('')} className={classes.link}>
          Show those of all files
        </RowLink>
      </Text>
    </Group>
  )
}

function columnsOf(place: Place, onShow: (version: Version) => void): Column<Version>[] {
  const file: Column<Version> = {
    id: 'file',
    title: 'File',
    sort: 'path',
    cell: (version) => <FileOf version={version} place={place} />,
  }
  return [
    ...(place.path === '' ? [file] : []),
    {
      id: 'replaced',
      title: 'Saved',
      sort: 'replaced_at',
      cell: ({ replaced_at }) => <Moment time={replaced_at} />,
    },
    {
      id: 'by',
      title: 'Replaced by',
      cell: ({ replaced_by, replaced_through }) =>
        `${replaced_by?.email ?? 'Unknown user'}, ${throughText[replaced_through]}`,
    },
    {
      id: 'size',
      title: 'Size',
      sort: 'size_bytes',
      align: 'right',
      cell: ({ size_bytes }) => formatBytes(size_bytes),
    },
    {
      id: 'do',
      title: 'Action',
      align: 'right',
      cell: (version) =>
        version.is_kept ? (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconEye size={15} aria-hidden />}
            onClick={() => onShow(version)}
          >
            View
          </Button>
        ) : (
          <Text size="xs" c="dimmed">
            Not kept: {humanize(version.not_kept ?? 'unknown').toLowerCase()}
          </Text>
        ),
    },
  ]
}

const throughText: Readonly<Record<Version['replaced_through'], string>> = {
  write: 'in the editor',
  upload: 'by an upload',
  restore: 'by a restore',
  move: 'by a move',
  copy: 'by a copy',
  extract: 'by an archive',
}

function FileOf({ version, place }: { readonly version: Version; readonly place: Place }) {
  const path = pathFrom(version.path, version.path_b64)
  return (
    <div>
      <RowLink to="/files/history" search={place.at(path)} className={classes.link}>
        {shown(nameOf(path))}
      </RowLink>
      <Text size="xs" c="dimmed">
        {shown(parentOf(path)) || 'Home'}
      </Text>
    </div>
  )
}
