import { Button, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import Type from 'typebox'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { SettingsTabs } from '../../settings/web/SettingsTabs.tsx'
import { phpDirective } from '../../websites/settings-model.ts'
import type { PhpConfig } from '../model.ts'
import { php } from './api.ts'
import { readPhpAgain, useConfig } from './queries.ts'

type Directive = PhpConfig['directives'][number]

const columnsOf = (onEdit: (directive: Directive) => void): Column<Directive>[] => [
  {
    id: 'name',
    title: 'Directive',
    value: ({ name }) => name,
    cell: ({ name, is_set_per_website: isPerWebsite }) => (
      <>
        <span className="anywhere">{name}</span>
        {isPerWebsite && <Text size="xs">Each website has a value of its own</Text>}
      </>
    ),
  },
  {
    id: 'effective',
    title: 'Value',
    width: '30%',
    value: ({ effective }) => effective,
    cell: ({ effective }) => <span className="anywhere">{effective || '–'}</span>,
  },
  {
    id: 'source',
    title: 'From',
    value: ({ source }) => source ?? '',
    cell: ({ source }) => <span className="anywhere">{source ?? 'Built in'}</span>,
  },
  {
    id: 'edit',
    title: 'Action',
    cell: (directive) => (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Edit ${directive.name}`}
        onClick={() => onEdit(directive)}
      >
        Edit
      </Button>
    ),
  },
]

/** The directives of php.ini of one version. */
export function PhpConfigPage() {
  const { version = '' }: { version?: string } = useParams({ strict: false })
  const { data, ...query } = useConfig(version)
  const [search, setSearch] = useState('')
  const [edited, setEdited] = useState<Directive>()
  const shown = useMemo(
    () => data?.directives.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase())),
    [data, search],
  )
  return (
    <Page title={`PHP ${version}`} about={data && `Directives of ${data.path}, as PHP takes them.`}>
      <SettingsTabs />
      <DataTable
        label="Directives"
        columns={columnsOf(setEdited)}
        query={useWholePage({ ...query, data: shown })}
        rowKey={({ name }) => name}
        filters={
          <TextInput
            type="search"
            aria-label="Search directives"
            placeholder="Search directives"
            leftSection={<IconSearch size={16} aria-hidden />}
            value={search}
            maxLength={200}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        }
        empty={<Empty title="No directives match" />}
      />
      {edited && <EditDirective version={version} directive={edited} onClose={() => setEdited(undefined)} />}
    </Page>
  )
}

interface EditDirectiveProps {
  readonly version: string
  readonly directive: Directive
  readonly onClose: () => void
}

const Value = Type.Object({ value: phpDirective.value })

function EditDirective({
  version,
  directive: { name, value, effective, expects },
  onClose,
}: EditDirectiveProps) {
  return (
    <PlannedForm
      title={`Set ${name}`}
      confirmLabel="Save"
      schema={Value}
      text={{ value: { label: name, hint: expects } }}
      given={{ value: value ?? effective }}
      callOf={(draft: { readonly value: string }) =>
        php.changeConfig({ params: { version }, body: { settings: { [name]: draft.value } } })
      }
      onClose={onClose}
      onDone={() => {
        onClose()
        notify(`${name} was set for PHP ${version}.`)
        void readPhpAgain()
      }}
    />
  )
}
