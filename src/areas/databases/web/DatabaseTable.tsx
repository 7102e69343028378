import { Button, Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatBytes } from '../../../web/kit/format.ts'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import type { ListState } from '../../../web/kit/list-state.ts'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import type { Page } from '../../../web/wire.ts'
import type { Database } from '../model.ts'
import { DeleteDatabase } from './DeleteDatabase.tsx'
import { DuplicateDatabase } from './DuplicateDatabase.tsx'
import { ExportDatabase } from './ExportDatabase.tsx'
import { ImportDatabase } from './ImportDatabase.tsx'
import { engineTitles } from './engines.ts'
import { UsersDialog } from './UsersDialog.tsx'

interface DatabaseTableProps {
  readonly list: ListState
  readonly query: {
    readonly data: Page<Database> | undefined
    readonly error: unknown
    readonly isFetching: boolean
    readonly refetch: () => unknown
  }
  /** True if the list is of several websites. */
  readonly hasWebsites?: boolean
  readonly empty: ReactNode
}

interface Asked {
  readonly kind: 'users' | 'export' | 'import' | 'duplicate' | 'delete'
  readonly database: Database
}

/** Databases with their size and users, and what can be done with each. */
export function DatabaseTable({ list, query, hasWebsites = false, empty }: DatabaseTableProps) {
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const columns = [nameColumn, ...(hasWebsites ? [websiteColumn] : []), ...ownColumns, actions(setAsked)]
  return (
    <>
      <DataTable
        label="Databases"
        columns={columns}
        query={query}
        rowKey={({ id }) => id}
        list={list}
        searchLabel="Search databases"
        empty={empty}
      />
      {asked?.kind === 'users' && <UsersDialog database={asked.database} onClose={close} />}
      {asked?.kind === 'export' && <ExportDatabase database={asked.database} onClose={close} />}
      {asked?.kind === 'import' && <ImportDatabase database={asked.database} onClose={close} />}
      {asked?.kind === 'duplicate' && <DuplicateDatabase database={asked.database} onClose={close} />}
      {asked?.kind === 'delete' && <DeleteDatabase database={asked.database} onClose={close} />}
    </>
  )
}

const nameColumn: Column<Database> = {
  id: 'name',
  title: 'Name',
  sort: 'name',
  value: ({ name }) => name,
  cell: ({ name, engine, state, collation }) => (
    <>
      <Group gap="xs">
        {name}
        {state !== 'present' && <StateBadge state={state} />}
      </Group>
      <Text size="xs" c="dimmed">
        {[engineTitles[engine], notes[state] ?? collation].filter((part) => part !== null).join(', ')}
      </Text>
    </>
  ),
}

const notes: Readonly<Partial<Record<Database['state'], string>>> = {
  missing: 'The server has it no longer: delete it here too',
  unknown: 'The server does not answer',
}

const websiteColumn: Column<Database> = {
  id: 'website',
  title: 'Website',
  cell: ({ website_id: id, domain }) =>
    id === null ? 'None' : <TextLink to={`/websites/${id}/databases`}>{domain}</TextLink>,
}

const ownColumns: readonly Column<Database>[] = [
  {
    id: 'size',
    title: 'Size',
    cell: ({ engine, size_bytes: size, table_count: tables }) => {
      if (size === null) return ''
      const noun = engine === 'mongodb' ? 'collection' : 'table'
      return `${formatBytes(size)}${tables === null ? '' : `, ${tables} ${tables === 1 ? noun : `${noun}s`}`}`
    },
  },
  {
    id: 'users',
    title: 'Users',
    cell: ({ users }) => (
      <Text size="sm" className="anywhere">
        {[...new Set(users.map(({ username }) => username))].join(', ') || 'None'}
      </Text>
    ),
  },
]

/** What needs the database on the server. */
const ofPresent = [
  ['export', 'Export'],
  ['import', 'Import'],
  ['duplicate', 'Duplicate'],
] as const

const actions = (ask: (asked: Asked) => void): Column<Database> => ({
  id: 'do',
  title: 'Action',
  align: 'right',
  cell: (database) => {
    const button = { size: 'xs', variant: 'default' } as const
    return (
      <Group gap="xs" justify="flex-end">
        <Button
          {...button}
          aria-label={`Users of ${database.name}`}
          onClick={() => ask({ kind: 'users', database })}
        >
          Users
        </Button>
        {ofPresent.map(([kind, label]) => (
          <Button
            {...button}
            key={kind}
            disabled={database.state !== 'present' || (kind === 'duplicate' && database.engine !== 'mariadb')}
            aria-label={kind === 'import' ? `Import into ${database.name}` : `${label} ${database.name}`}
            onClick={() => ask({ kind, database })}
          >
            {label}
          </Button>
        ))}
        <CutOffButton
          size="xs"
          aria-label={`Delete ${database.name}`}
          onClick={() => ask({ kind: 'delete', database })}
        >
          Delete
        </CutOffButton>
      </Group>
    )
  },
})
