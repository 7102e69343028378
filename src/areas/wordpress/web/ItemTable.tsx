import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import type { Item } from '../model.ts'
import { wordpress } from './api.ts'
import { limitMs } from './limits.ts'
import { readWordPressAgain } from './queries.ts'
import { UpdateFromDialog } from './UpdateFromDialog.tsx'

interface ItemTableProps {
  readonly id: number
  readonly kind: 'plugin' | 'theme'
  readonly items: readonly Item[]
}

type Asked =
  | { readonly action: 'update'; readonly items: readonly Item[] }
  | { readonly action: 'update-from' | 'activate' | 'deactivate' | 'delete'; readonly item: Item }

/** The plugins or themes of a WordPress. */
export function ItemTable({ id, kind, items }: ItemTableProps) {
  const [asked, setAsked] = useState<Asked>()
  const updatable = items.filter(({ new_version }) => new_version !== null)
  return (
    <Stack gap="sm" pt="md">
      {updatable.length > 1 && (
        <Group>
          <Button onClick={() => setAsked({ action: 'update', items: updatable })}>
            Update all {updatable.length}
          </Button>
        </Group>
      )}
      <DataTable
        label={kind === 'plugin' ? 'Plugins' : 'Themes'}
        columns={[...columns, actions(kind, setAsked)]}
        query={{
          data: { items: [...items], total: items.length, page: 1, per_page: 500 },
          ...{ error: null, isFetching: false, refetch: () => {} },
        }}
        rowKey={({ name }) => name}
        empty={<Empty title={`No ${kind}s yet`}>Install them in the dashboard of WordPress.</Empty>}
      />
      {asked && <AskedDialog id={id} kind={kind} asked={asked} onClose={() => setAsked(undefined)} />}
    </Stack>
  )
}

const columns: readonly Column<Item>[] = [
  {
    id: 'title',
    title: 'Name',
    value: ({ title }) => title.toLowerCase(),
    cell: ({ title, name }) => (
      <>
        {title}
        <Text size="xs" c="dimmed" className="anywhere">
          {name}
        </Text>
      </>
    ),
  },
  {
    id: 'version',
    title: 'Version',
    cell: ({ version, new_version: next }) => (
      <>
        {version || 'Unknown'}
        {next !== null && (
          <Text size="xs" c="dimmed">
            {next} is available
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'state',
    title: 'State',
    cell: (item) => <StateBadge state={item.is_active ? 'active' : item.is_needed ? 'needed' : 'inactive'} />,
  },
]

const actions = (kind: ItemTableProps['kind'], ask: (asked: Asked) => void): Column<Item> => ({
  id: 'do',
  title: 'Action',
  align: 'right',
  cell: (item) => (
    <Group gap="xs" justify="flex-end">
      {item.new_version !== null && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Update ${item.title}`}
          onClick={() => ask({ action: 'update', items: [item] })}
        >
          Update
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        aria-label={`From archive: ${item.title}`}
        onClick={() => ask({ action: 'update-from', item })}
      >
        From archive
      </Button>
      {!(kind === 'theme' && item.is_active) && (
        <Button
          size="xs"
          variant="default"
          aria-label={`${item.is_active ? 'Deactivate' : 'Activate'} ${item.title}`}
          onClick={() => ask({ action: item.is_active ? 'deactivate' : 'activate', item })}
        >
          {item.is_active ? 'Deactivate' : 'Activate'}
        </Button>
      )}
      {!item.is_active && !item.is_needed && (
        <CutOffButton
          size="xs"
          aria-label={`Delete ${item.title}`}
          onClick={() => ask({ action: 'delete', item })}
        >
          Delete
        </CutOffButton>
      )}
    </Group>
  ),
})

interface AskedDialogProps {
  readonly id: number
  readonly kind: 'plugin' | 'theme'
  readonly asked: Asked
  readonly onClose: () => void
}

function AskedDialog({ id, kind, asked, onClose }: AskedDialogProps) {
  const done = (text: string) => async () => {
    onClose()
    notify(text)
    await readWordPressAgain()
  }
  if (asked.action === 'update-from')
    return (
      <UpdateFromDialog
        title={asked.item.title}
        callOf={({ check_site: checkSite, ...source }) =>
          wordpress.updateItems({
            params: { id },
            body: { items: [{ kind, name: asked.item.name, ...source }], check_site: checkSite },
            limitMs,
          })
        }
        onClose={onClose}
      />
    )
  const { title, label, call, text } =
    asked.action === 'update' ? updateOf(id, kind, asked.items) : otherOf(id, kind, asked)
  return (
    <ChangeDialog
      title={title}
      confirmLabel={label}
      call={call}
      onClose={onClose}
      onDone={done(text)}
      onFailed={() => readWordPressAgain()}
    />
  )
}

function updateOf(id: number, kind: ItemTableProps['kind'], items: readonly Item[]) {
  const what = items.length === 1 ? items[0]!.title : `${items.length} ${kind}s`
  const body = { items: items.map(({ name }) => ({ kind, name })), check_site: true }
  return {
    title: `Update ${what}`,
    label: 'Update',
    call: wordpress.updateItems({ params: { id }, body, limitMs }),
    text: `${what} ${items.length === 1 ? 'was' : 'were'} updated.`,
  }
}

function otherOf(
  id: number,
  kind: ItemTableProps['kind'],
  { action, item: { name, title } }: Exclude<Asked, { readonly action: 'update' }>,
) {
  const params = { id }
  if (action === 'delete')
    return {
      title: `Delete ${title}`,
      label: `Delete the ${kind}`,
      call: wordpress.deleteItems({
        params,
        body: { items: [{ kind, name }], check_site: true },
        limitMs,
      }),
      text: `${title} was deleted.`,
    }
  const active = action === 'activate'
  return {
    title: `${active ? 'Activate' : 'Deactivate'} ${title}`,
    label: active ? 'Activate' : 'Deactivate',
    call: wordpress.setItemActive({ params, body: { kind, name, active } }),
    text: `${title} was ${active ? 'activated' : 'deactivated'}.`,
  }
}
