import { Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { humanize, formatBytes } from '../../../web/kit/format.ts'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { Service } from '../model.ts'
import { useServices } from './queries.ts'
import { serviceStates, stateOf } from './state.ts'

const columns: Column<Service>[] = [
  {
    id: 'name',
    title: 'Service',
    value: ({ name }) => name,
    cell: ({ name, description }) => (
      <>
        <TextLink to={`/services/${encodeURIComponent(name)}`}>{name}</TextLink>
        <Text size="xs" c="dimmed" className="anywhere">
          {description}
        </Text>
      </>
    ),
  },
  {
    id: 'state',
    title: 'State',
    value: stateOf,
    cell: (service) => <StateBadge state={stateOf(service)} />,
  },
  {
    id: 'enabled',
    title: 'Starts with the host',
    value: ({ enabled }) => Number(enabled),
    cell: ({ enabled }) => (enabled ? 'Yes' : 'No'),
  },
  {
    id: 'memory',
    title: 'Memory',
    value: ({ memory_bytes }) => memory_bytes ?? 0,
    cell: ({ memory_bytes }) => (memory_bytes === null ? '–' : formatBytes(memory_bytes)),
  },
  {
    id: 'started',
    title: 'Started',
    value: ({ started_at }) => started_at ?? '',
    cell: ({ started_at }) => (started_at ? <Moment time={started_at} /> : '–'),
  },
  {
    id: 'area',
    title: 'Managed in',
    cell: ({ driven_by }) => (driven_by ? <TextLink to={driven_by.path}>{driven_by.title}</TextLink> : '–'),
  },
]

/** The services of the host. */
export function ServicesPage() {
  const { data, ...query } = useServices()
  const [search, setSearch] = useState('')
  const [state, setState] = useState('')
  const shown = useMemo(() => {
    const wanted = search.trim().toLowerCase()
    return data?.filter(
      (each) =>
        `${each.name} ${each.description}`.toLowerCase().includes(wanted) &&
        (state === '' || stateOf(each) === state),
    )
  }, [data, search, state])
  return (
    <Page
      title="Services"
      about="The services of this host. Open one to see its log and to start or stop it."
    >
      <DataTable
        label="Services"
        columns={columns}
        query={useWholePage({ ...query, data: shown })}
        rowKey={({ name }) => name}
        filters={
          <Group gap="sm">
            <TextInput
              type="search"
              aria-label="Search services"
              placeholder="Search services"
              leftSection={<IconSearch size={16} aria-hidden />}
              value={search}
              maxLength={200}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
            <NativeSelect
              aria-label="State"
              value={state}
              data={[
                { value: '', label: 'All states' },
                ...serviceStates.map((value) => ({ value, label: humanize(value) })),
              ]}
              onChange={(event) => setState(event.currentTarget.value)}
            />
          </Group>
        }
        empty={<Empty title="No services match" />}
      />
    </Page>
  )
}
