import { Button, Group, Text } from '@mantine/core'
import type { Column } from '../../../web/kit/DataTable.tsx'
import { humanize } from '../../../web/kit/format.ts'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import type { DriftItem } from '../model.ts'

/** The action that the reader chose for a difference. */
export interface Asked {
  readonly what: 'adopt' | 'revert'
  readonly item: DriftItem
}

/** Returns the columns of the table; the last one has the actions. */
export const columnsOf = (onAsk: (asked: Asked) => void): Column<DriftItem>[] => [
  {
    id: 'name',
    title: 'Name',
    value: ({ name }) => name,
    cell: ({ name, rights, adopt_refusal, revert_refusal, state }) => (
      <>
        <Text size="sm" className="anywhere">
          {name}
        </Text>
        {rights && (
          <Text size="xs" className="anywhere">
            {rightsShown(rights)}
          </Text>
        )}
        {adopt_refusal && (
          <Text size="xs" c="dimmed" className="anywhere">
            Cannot be adopted: {adopt_refusal}
          </Text>
        )}
        {state !== 'same' && revert_refusal && (
          <Text size="xs" c="dimmed" className="anywhere">
            Cannot be reverted: {revert_refusal}
          </Text>
        )}
      </>
    ),
  },
  { id: 'kind', title: 'Kind', value: ({ kind }) => kind, cell: ({ kind }) => humanize(kind) },
  {
    id: 'program',
    title: 'Program',
    value: ({ program }) => program ?? '',
    cell: ({ program }) => program ?? '-',
  },
  {
    id: 'state',
    title: 'State',
    value: ({ state }) => state,
    cell: ({ state }) => <StateBadge state={state} />,
  },
  {
    id: 'do',
    title: 'Actions',
    align: 'right',
    cell: (item) => (item.state === 'same' ? null : <Actions item={item} onAsk={onAsk} />),
  },
]

/** The change of the mode and the owner of a file, for people. */
export const rightsShown = ({ wanted, present }: NonNullable<DriftItem['rights']>): string =>
  `Mode and owner: ${present} instead of ${wanted}`

interface ActionsProps {
  readonly item: DriftItem
  readonly onAsk: (asked: Asked) => void
}

const Actions = ({ item, onAsk }: ActionsProps) => (
  <Group gap={6} justify="flex-end">
    {item.adopt_refusal === null && (
      <Button
        size="compact-xs"
        variant="light"
        aria-label={`Adopt ${item.name}`}
        onClick={() => onAsk({ what: 'adopt', item })}
      >
        Adopt
      </Button>
    )}
    {item.revert_refusal === null && (
      <Button
        size="compact-xs"
        variant="light"
        color="red"
        aria-label={`Revert ${item.name}`}
        onClick={() => onAsk({ what: 'revert', item })}
      >
        Revert
      </Button>
    )}
  </Group>
)
