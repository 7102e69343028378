import type { MenuAsked } from '../actions/ActionMenu.tsx'
import type { ActionId } from '../actions/actions.ts'
import type { Item } from '../queries.ts'
import type { Place } from '../whose.ts'
import { useArrival } from './arrival.ts'
import { EmptyRow, EntryRow } from './EntryRow.tsx'
import { GridHead } from './GridHead.tsx'
import { useGridKeys } from './grid-keys.ts'
import type { Listing, View } from './listing.ts'
import type { Moving } from './moving.ts'
import type { RowsWindow } from './rows-window.ts'
import type { Selection } from './selection.ts'
import classes from './grid.module.css'

export interface EntryGridProps {
  readonly place: Place
  readonly listing: Listing
  readonly selection: Selection
  readonly rows: RowsWindow
  readonly view: View
  readonly moving: Moving
  readonly renaming: string | undefined
  readonly onRename: (item: Item, name: string | undefined) => Promise<void>
  readonly onSort: (sort: string) => void
  readonly onAct: (id: ActionId, items: readonly Item[]) => void
  readonly onMenu: (asked: MenuAsked) => void
  readonly onUp: () => void
}

/** The entries of a folder; only visible rows are rendered, so that 100,000 entries are as fast as ten. */
export function EntryGrid(props: EntryGridProps) {
  const { place, listing, selection, rows, view, moving, renaming, onRename, onSort, onAct, onMenu } = props
  const keys = useGridKeys(props)
  useArrival(JSON.stringify(place.whose), listing, selection, rows)
  const { rowHeight, setBox, onScroll } = rows
  const indexes = shownRows(rows, selection.active, listing.count)
  const chosenWith = (item: Item) => (selection.has(item) ? selection.items : [item])
  return (
    <div
      ref={setBox}
      role="grid"
      aria-label="Files"
      aria-rowcount={listing.count + 1}
      aria-multiselectable="true"
      aria-busy={listing.isFetching}
      className={classes.scroller}
      onScroll={onScroll}
      tabIndex={-1}
    >
      <GridHead listing={listing} selection={selection} sort={view.sort} onSort={onSort} />
      <div role="rowgroup" className={classes.rows} style={{ height: listing.count * rowHeight }}>
        {indexes.map((index) => {
          const item = listing.at(index)
          if (item === undefined) return <EmptyRow key={index} index={index} top={index * rowHeight} />
          return (
            <EntryRow
              key={index}
              item={item}
              index={index}
              top={index * rowHeight}
              isActive={index === selection.active}
              isChosen={selection.has(item)}
              isTarget={moving.over === item.path}
              search={place.at(item.path)}
              isRenaming={renaming === item.name}
              onRename={(name) => onRename(item, name)}
              onToggle={() => selection.toggle(index)}
              onClick={(event) => {
                if (event.shiftKey) selection.upTo(index)
                else if (event.ctrlKey || event.metaKey) selection.toggle(index)
                else selection.only(index)
              }}
              onKeyDown={keys}
              onFocus={() => selection.active !== index && selection.stand(index)}
              onOpen={() => onAct('open', [item])}
              onMenu={(x, y) => {
                if (!selection.has(item)) selection.only(index)
                onMenu({ x, y, items: chosenWith(item) })
              }}
              drag={moving.ofRow(item, chosenWith(item))}
            />
          )
        })}
      </div>
    </div>
  )
}

/** Returns the visible rows and the active one, so that scrolling it away does not lose the focus. */
function shownRows({ first, last }: RowsWindow, active: number, count: number): readonly number[] {
  const seen = Array.from(
    { length: Math.max(0, Math.min(last, count - 1) - first + 1) },
    (_, index) => first + index,
  )
  return active < count && !seen.includes(active) ? [...seen, active] : seen
}
