import { Button, Drawer, Group, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { formatBytes, formatMoment } from '../../../../web/kit/format.ts'
import { Failure } from '../../../../web/kit/states.tsx'
import type { ActionId } from '../actions/actions.ts'
import { actionsFor } from '../actions/actions.ts'
import { actionIcons } from '../actions/icons.ts'
import { EntryIcon } from '../list/EntryIcon.tsx'
import { everyBitOf, lettersOf } from '../modes.ts'
import { shown } from '../names.ts'
import { ownerName } from '../owners.ts'
import { parentOf } from '../paths.ts'
import { pictureType } from '../preview.ts'
import { type Item, sizeOf, type Whose } from '../queries.ts'
import { Picture } from './Picture.tsx'

interface DetailsDrawerProps {
  readonly item: Item
  readonly whose: Whose
  readonly onAct: (id: ActionId, items: readonly Item[]) => void
  readonly onClose: () => void
}

/** The properties, preview and actions of an entry. */
export function DetailsDrawer({ item, whose, onAct, onClose }: DetailsDrawerProps) {
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="md"
      title={
        <Group gap="xs" wrap="nowrap">
          <EntryIcon item={item} />
          <Text fw={650} className="anywhere">
            {item.label}
          </Text>
        </Group>
      }
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': 'Close the details' }}
    >
      <Stack gap="md">
        {item.type === 'file' && pictureType(item.name) && <Picture whose={whose} item={item} />}
        <Facts item={item} whose={whose} />
        <Group gap="xs">
          {actionsFor([item])
            .filter(({ id }) => id !== 'details')
            .map(({ id, label }) => {
              const Icon = actionIcons[id]
              return (
                <Button
                  key={id}
                  size="xs"
                  variant={id === 'open' ? 'filled' : 'default'}
                  leftSection={<Icon size={15} aria-hidden />}
                  onClick={() => onAct(id, [item])}
                >
                  {label.replace(/ …$/, '')}
                </Button>
              )
            })}
        </Group>
      </Stack>
    </Drawer>
  )
}

function Facts({ item, whose }: Pick<DetailsDrawerProps, 'item' | 'whose'>) {
  const bits = everyBitOf(item.mode)
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Type', item.link_target === undefined ? item.type : `link to ${shown(item.link_target)}`],
    ['Folder', parentOf(item.path) === '' ? 'Home' : shown(parentOf(item.path))],
    [
      'Size',
      item.type === 'folder' ? (
        <FolderSize whose={whose} path={item.path} />
      ) : (
        `${formatBytes(item.size_bytes)} (${item.size_bytes.toLocaleString()} bytes)`
      ),
    ],
    ['Changed', formatMoment(item.modified_at)],
    ['Permissions', `${item.mode.replace(/^0/, '')}${bits === undefined ? '' : ` ${lettersOf(bits)}`}`],
    ['Owner and group', `${ownerName(item.owner)} ${ownerName(item.group)}`],
    ['Locked', item.is_locked ? 'Yes, it cannot be changed' : 'No'],
  ]
  return (
    <Table layout="fixed" aria-label="Details">
      <Table.Tbody>
        {facts.map(([title, value]) => (
          <Table.Tr key={title}>
            <Table.Th scope="row" w={130} fw={500} c="dimmed">
              {title}
            </Table.Th>
            <Table.Td className="anywhere">{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** The size of a folder, computed on request. */
function FolderSize({ whose, path }: { readonly whose: Whose; readonly path: string }) {
  const [isAsked, setAsked] = useState(false)
  const size = useQuery({
    queryKey: ['dirsize', whose, path],
    queryFn: ({ signal }) => sizeOf(whose, path, signal),
    enabled: isAsked,
    gcTime: 0,
  })
  if (size.error) return <Failure error={size.error} />
  if (size.data !== undefined) return `${formatBytes(size.data)} (${size.data.toLocaleString()} bytes)`
  return (
    <Button size="compact-xs" variant="default" loading={isAsked} onClick={() => setAsked(true)}>
      Calculate
    </Button>
  )
}
