import { ActionIcon, Button, CloseButton, Group, Menu, Switch, Text, TextInput } from '@mantine/core'
import { IconArrowsSort, IconCheck, IconDotsVertical, IconFilter, IconRefresh } from '@tabler/icons-react'
import { Fragment } from 'react'
import { formatBytes } from '../../../web/kit/format.ts'
import { RowLink } from '../../../web/kit/RowLink.tsx'
import { ActionItems } from './actions/ActionMenu.tsx'
import { type ActionId, actionsFor } from './actions/actions.ts'
import { actionIcons } from './actions/icons.ts'
import type { Listing, View } from './list/listing.ts'
import type { Moving } from './list/moving.ts'
import { mostChosen, type Selection } from './list/selection.ts'
import { shown } from './names.ts'
import { crumbsOf } from './paths.ts'
import type { Item } from './queries.ts'
import type { Place } from './whose.ts'
import classes from './files.module.css'

const orders = [
  { sort: 'name', label: 'Name, A to Z' },
  { sort: '-name', label: 'Name, Z to A' },
  { sort: '-modified_at', label: 'Newest first' },
  { sort: 'modified_at', label: 'Oldest first' },
  { sort: '-size_bytes', label: 'Largest first' },
  { sort: 'size_bytes', label: 'Smallest first' },
  { sort: 'type', label: 'Type' },
]

interface FolderBarProps {
  readonly place: Place
  readonly listing: Listing
  readonly view: View
  readonly onLook: (change: Partial<View>) => void
  readonly moving: Moving
}

/** The path of the folder and its display options. */
export function FolderBar({ place, listing, view, onLook, moving }: FolderBarProps) {
  return (
    <div className={classes.bar}>
      <Crumbs place={place} moving={moving} />
      <TextInput
        className={classes.filter}
        size="xs"
        type="search"
        aria-label="Filter this folder"
        placeholder="Filter"
        leftSection={<IconFilter size={14} aria-hidden />}
        value={view.filter}
        onChange={(event) => onLook({ filter: event.currentTarget.value })}
      />
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon title="Sort and view" variant="default" size={30} aria-label="Sort and view">
            <IconArrowsSort size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {orders.map(({ sort, label }) => (
            <Menu.Item
              key={sort}
              rightSection={sort === view.sort ? <IconCheck size={14} aria-label="chosen" /> : null}
              onClick={() => onLook({ sort })}
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <ActionIcon
        title="Refresh"
        variant="default"
        size={30}
        aria-label="Refresh"
        loading={listing.isFetching && !listing.isPending}
        onClick={listing.refetch}
      >
        <IconRefresh size={16} aria-hidden />
      </ActionIcon>
      <Switch
        size="xs"
        label="Hidden files"
        checked={view.showHidden}
        onChange={(event) => onLook({ showHidden: event.currentTarget.checked })}
      />
    </div>
  )
}

function Crumbs({ place, moving }: Pick<FolderBarProps, 'place' | 'moving'>) {
  const crumbs = crumbsOf(place.path)
  return (
    <nav aria-label="Path" className={classes.crumbs}>
      {crumbs.map(({ name, path }, index) => (
        <Fragment key={path}>
          {index > 0 && (
            <span className={classes.separator} aria-hidden>
              ›
            </span>
          )}
          <span
            {...moving.ofFolder(path)}
            data-into={moving.over === path && path !== place.path}
            className={classes.crumb}
            style={{ padding: 0 }}
          >
            {index === crumbs.length - 1 ? (
              <span className={classes.crumb} aria-current="page">
                {shown(name)}
              </span>
            ) : (
              <RowLink to="/files" search={place.at(path)} className={classes.crumb}>
                {shown(name)}
              </RowLink>
            )}
          </span>
        </Fragment>
      ))}
    </nav>
  )
}

const inBar: ReadonlySet<ActionId> = new Set(['download', 'move', 'copy', 'compress', 'extract', 'delete'])

interface ChosenBarProps {
  readonly selection: Selection
  readonly onAct: (id: ActionId, items: readonly Item[]) => void
}

/** The actions on the selected entries. */
export function ChosenBar({ selection: { items, clear }, onAct }: ChosenBarProps) {
  const bytes = items.reduce((sum, { size_bytes, type }) => sum + (type === 'file' ? size_bytes : 0), 0)
  const offered = actionsFor(items).filter(({ id }) => inBar.has(id))
  return (
    <div className={classes.bar} data-chosen="true" role="toolbar" aria-label="Selection">
      <CloseButton size="sm" aria-label="Clear the selection" onClick={clear} />
      <Text size="sm" fw={600} role="status">
        {items.length.toLocaleString()} selected{bytes > 0 && `, ${formatBytes(bytes)}`}
        {items.length === mostChosen && ', the most at once'}
      </Text>
      <Group gap={6} ml="auto">
        {offered.map(({ id, label }) => {
          const Icon = actionIcons[id]
          const text = label.replace(/ (?:to )?…$/, '').replace(/ as zip$/, '')
          return (
            <Button
              className={classes.act}
              aria-label={text}
              key={id}
              size="compact-sm"
              fz={12.5}
              fw={550}
              px={8}
              variant="default"
              color={id === 'delete' ? 'red' : 'gray'}
              c={id === 'delete' ? 'var(--mantine-color-error)' : undefined}
              leftSection={<Icon size={14} aria-hidden />}
              onClick={() => onAct(id, items)}
            >
              {text}
            </Button>
          )
        })}
        <Menu position="bottom-end" width={240}>
          <Menu.Target>
            <ActionIcon variant="default" size={26} aria-label="All actions">
              <IconDotsVertical size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <ActionItems items={items} onAct={onAct} />
          </Menu.Dropdown>
        </Menu>
      </Group>
    </div>
  )
}

/** The number of entries. */
export function FolderFoot({
  listing,
  selection,
}: {
  readonly listing: Listing
  readonly selection: Selection
}) {
  const { count, total, isPending } = listing
  if (isPending) return null
  return (
    <div className={classes.foot}>
      <span role="status">
        {count === total
          ? `${total.toLocaleString()} ${total === 1 ? 'entry' : 'entries'}`
          : `${count.toLocaleString()} of ${total.toLocaleString()} entries`}
        {selection.items.length > 0 && `, ${selection.items.length.toLocaleString()} selected`}
      </span>
    </div>
  )
}
