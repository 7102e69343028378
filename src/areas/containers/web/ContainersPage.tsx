import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatBytes } from '../../../web/kit/format.ts'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import { useLinkedDialog } from '../../../web/kit/linked-dialog.ts'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { Container } from '../model.ts'
import type { ContainerStats } from '../stats/model.ts'
import { ContainersFrame } from './ContainersFrame.tsx'
import { CreateDialog } from './Dialogs.tsx'
import { useContainers, useStats } from './queries.ts'
import { portTexts, stateOf } from './state.ts'

const columnsOf = (stats: ReadonlyMap<string, ContainerStats>): readonly Column<Container>[] => [
  {
    id: 'name',
    title: 'Container',
    value: ({ name }) => name,
    cell: ({ name, image }) => (
      <>
        <TextLink to={`/containers/list/${encodeURIComponent(name)}`}>{name}</TextLink>
        <Text size="xs" c="dimmed" className="anywhere">
          {image}
        </Text>
      </>
    ),
  },
  {
    id: 'state',
    title: 'State',
    value: stateOf,
    cell: (container) => (
      <>
        <StateBadge state={stateOf(container)} />
        <Text size="xs" c="dimmed">
          {container.replaced_by === '' ? container.status : `Replaced by ${container.replaced_by}`}
        </Text>
      </>
    ),
  },
  {
    id: 'ports',
    title: 'Ports and who can reach them',
    value: ({ ports }) => ports,
    cell: (container) => {
      const texts = portTexts(container)
      return texts.length === 0
        ? '–'
        : texts.map((each) => (
            <Text key={each} size="sm">
              {each}
            </Text>
          ))
    },
  },
  {
    id: 'cpu',
    title: 'CPU',
    value: ({ id }) => stats.get(id)?.cpu_percent ?? -1,
    cell: ({ id }) => {
      const percent = stats.get(id)?.cpu_percent ?? null
      return percent === null ? '–' : `${percent.toFixed(1)} %`
    },
  },
  {
    id: 'memory',
    title: 'Memory',
    value: ({ id }) => stats.get(id)?.memory_bytes ?? -1,
    cell: ({ id }) => {
      const used = stats.get(id)?.memory_bytes
      return used === undefined ? '–' : formatBytes(used)
    },
  },
]

/** The containers of this host. */
export function ContainersPage() {
  const { data, ...query } = useContainers()
  const stats = useStats()
  const [isCreating, setCreating] = useLinkedDialog('create')
  return (
    <ContainersFrame
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          Create a container
        </Button>
      }
    >
      <DataTable
        label="Containers"
        columns={columnsOf(stats)}
        query={useWholePage({ ...query, data })}
        rowKey={({ id }) => id}
        empty={<Empty title="No containers yet">Create one from an image of a registry.</Empty>}
      />
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </ContainersFrame>
  )
}
