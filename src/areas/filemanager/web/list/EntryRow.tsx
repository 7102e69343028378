import { ActionIcon, Checkbox, Skeleton } from '@mantine/core'
import { IconDots, IconLock } from '@tabler/icons-react'
import type { DragEvent, KeyboardEvent, MouseEvent } from 'react'
import { formatBytes } from '../../../../web/kit/format.ts'
import { Moment } from '../../../../web/kit/Moment.tsx'
import { hrefOf, RowLink } from '../../../../web/kit/RowLink.tsx'
import type { Item } from '../queries.ts'
import { shown } from '../names.ts'
import { ownerName } from '../owners.ts'
import type { Search } from '../whose.ts'
import { EntryIcon } from './EntryIcon.tsx'
import { RenameField } from './RenameField.tsx'
import classes from './grid.module.css'

interface EntryRowProps {
  readonly item: Item
  readonly index: number
  readonly top: number
  readonly isActive: boolean
  readonly isChosen: boolean
  readonly isTarget: boolean
  readonly search: Search
  readonly isRenaming: boolean
  readonly onRename: (name: string | undefined) => Promise<void>
  readonly onToggle: () => void
  readonly onClick: (event: MouseEvent) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onFocus: () => void
  readonly onOpen: () => void
  /** Opens the menu at a position on the screen. */
  readonly onMenu: (x: number, y: number) => void
  readonly drag: Readonly<
    Partial<Record<'onDragStart' | 'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void>>
  >
}

/** One entry of a folder. */
export function EntryRow(props: EntryRowProps) {
  const {
    item,
    index,
    top,
    isActive,
    isChosen,
    isTarget,
    isRenaming,
    onToggle,
    onClick,
    onKeyDown,
    onFocus,
    onOpen,
    onMenu,
    drag,
  } = props
  const tabIndex = isActive ? 0 : -1
  const menuAt = ({ currentTarget }: { readonly currentTarget: Element }) => {
    const { left, bottom } = currentTarget.getBoundingClientRect()
    onMenu(left, bottom)
  }
  return (
    <div
      role="row"
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      data-into={isTarget}
      data-row={index}
      tabIndex={isRenaming ? -1 : tabIndex}
      draggable={!isRenaming}
      onClick={(event) => isRowItself(event) && onClick(event)}
      onDoubleClick={(event) => isRowItself(event) && onOpen()}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      onContextMenu={(event) => {
        event.preventDefault()
        onMenu(event.clientX, event.clientY)
      }}
      {...drag}
    >
      <div role="gridcell" className={classes.check} data-own>
        <Checkbox
          size="xs"
          checked={isChosen}
          onChange={onToggle}
          tabIndex={tabIndex}
          aria-label={`Select ${item.label}`}
        />
      </div>
      <NameCell {...props} tabIndex={tabIndex} />
      <div role="gridcell" className={`${classes.wide} ${classes.right} ${classes.faint}`}>
        {item.type === 'folder' ? '–' : formatBytes(item.size_bytes)}
      </div>
      <div role="gridcell" className={`${classes.wide} ${classes.faint}`}>
        <Moment time={item.modified_at} />
      </div>
      <div role="gridcell" className={`${classes.wide} ${classes.mode} ${classes.faint}`}>
        {item.mode.replace(/^0/, '')} {ownerName(item.owner)}
      </div>
      <div role="gridcell" data-own>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          tabIndex={tabIndex}
          aria-haspopup="menu"
          aria-label={`Actions for ${item.label}`}
          onClick={menuAt}
        >
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </div>
    </div>
  )
}

/** Checkboxes, buttons, links and inputs of a row handle their own clicks. */
function isRowItself({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('[data-own], a, input') === null
}

/** Returns true for a click that opens something here and not in another tab. */
const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

function NameCell({
  item,
  search,
  isRenaming,
  onRename,
  onOpen,
  tabIndex,
}: EntryRowProps & { readonly tabIndex: number }) {
  const isLink = item.type === 'folder' || item.type === 'file'
  const to = item.type === 'folder' ? '/files' : '/files/edit'
  const target = item.link_target === undefined ? '' : ` → ${shown(item.link_target)}`
  return (
    <div role="gridcell" className={classes.name}>
      <EntryIcon item={item} />
      {isRenaming && <RenameField name={item.name} onEnd={onRename} />}
      {!isRenaming && (
        <div className={classes.text}>
          {isLink ? (
            <RowLink to={to} search={search} className={classes.title} tabIndex={tabIndex} title={item.label}>
              {item.label}
            </RowLink>
          ) : item.type === 'link' ? (
            <a
              href={hrefOf({ to: '/files/edit', search })}
              className={classes.title}
              tabIndex={tabIndex}
              title={item.label + target}
              draggable={false}
              onClick={(event) => isPlainClick(event) && (event.preventDefault(), onOpen())}
            >
              {item.label}
              <span className={classes.target}>{target}</span>
            </a>
          ) : (
            <span className={classes.title} title={item.label}>
              {item.label}
            </span>
          )}
          <span className={classes.under}>
            {item.type === 'folder' ? 'Folder' : formatBytes(item.size_bytes)} ·{' '}
            <Moment time={item.modified_at} />
          </span>
        </div>
      )}
      {item.is_locked && <IconLock size={15} role="img" aria-label="locked" className={classes.badge} />}
    </div>
  )
}

/** A placeholder for a row that is being loaded. */
export function EmptyRow({ index, top }: { readonly index: number; readonly top: number }) {
  return (
    <div
      role="row"
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
      aria-rowindex={index + 2}
      aria-busy="true"
    >
      <div role="gridcell" className={classes.coming}>
        <Skeleton height={14} width={`${40 + ((index * 37) % 40)}%`} />
      </div>
    </div>
  )
}
