import { Kbd, Menu } from '@mantine/core'
import { Fragment } from 'react'
import type { Item } from '../queries.ts'
import { type ActionId, actionsFor } from './actions.ts'
import { actionIcons } from './icons.ts'

/** The position and entries of an open context menu. */
export interface MenuAsked {
  readonly x: number
  readonly y: number
  readonly items: readonly Item[]
}

interface ActionMenuProps {
  readonly asked: MenuAsked
  readonly onAct: (id: ActionId, items: readonly Item[]) => void
  readonly onClose: () => void
}

const outside = ['mousedown', 'touchstart'] // no key events: the one that opened the menu is still bubbling

/** The context menu of the selected entries, at the pointer or the focused row. */
export function ActionMenu({ asked, onAct, onClose }: ActionMenuProps) {
  return (
    <Menu
      opened
      onClose={onClose}
      position="right-start"
      offset={2}
      width={248}
      withinPortal
      clickOutsideEvents={outside}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          aria-label="Menu"
          style={{
            position: 'fixed',
            left: asked.x,
            top: asked.y,
            width: 1,
            height: 1,
            padding: 0,
            border: 0,
            background: 'none',
          }}
        />
      </Menu.Target>
      <Menu.Dropdown
        aria-label={
          asked.items.length === 1
            ? `Actions for ${asked.items[0]?.label}`
            : `Actions for ${asked.items.length} entries`
        }
      >
        <ActionItems items={asked.items} onAct={onAct} />
      </Menu.Dropdown>
    </Menu>
  )
}

/** The actions of entries as menu items. */
export function ActionItems({
  items,
  onAct,
}: Pick<ActionMenuProps, 'onAct'> & { readonly items: readonly Item[] }) {
  return actionsFor(items).map(({ id, label, keys, begins }) => {
    const Icon = actionIcons[id]
    return (
      <Fragment key={id}>
        {begins && <Menu.Divider />}
        <Menu.Item
          color={id === 'delete' ? 'red' : undefined}
          leftSection={<Icon size={16} stroke={1.7} aria-hidden />}
          rightSection={
            keys && (
              <Kbd size="xs" visibleFrom="sm">
                {keys}
              </Kbd>
            )
          }
          onClick={() => onAct(id, items)}
        >
          {label}
        </Menu.Item>
      </Fragment>
    )
  })
}
