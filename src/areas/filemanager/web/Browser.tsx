import { Paper } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useGo } from '../../../web/kit/RowLink.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Empty, Loading } from '../../../web/kit/states.tsx'
import { textOf } from '../../../web/wire.ts'
import { ActionMenu, type MenuAsked } from './actions/ActionMenu.tsx'
import { useActs } from './actions/acts.ts'
import { ChosenBar, FolderBar, FolderFoot } from './bars.tsx'
import { Dialogs } from './dialogs/Dialogs.tsx'
import { FolderFailure } from './FolderFailure.tsx'
import { FilesFrame } from './FilesFrame.tsx'
import { leaveEmpty, takeArrival } from './list/arrival.ts'
import { EntryGrid } from './list/EntryGrid.tsx'
import { useListing, type View } from './list/listing.ts'
import { useMoving } from './list/moving.ts'
import { useRowsWindow } from './list/rows-window.ts'
import { useSelection } from './list/selection.ts'
import { NewButtons } from './NewButtons.tsx'
import { parentOf } from './paths.ts'
import { FolderTree } from './tree/FolderTree.tsx'
import { filesOfDrop } from './uploads/dropped.ts'
import { uploads } from './uploads/queue.ts'
import type { Place } from './whose.ts'
import classes from './files.module.css'

const headHeight = 39
let remembered: View = { sort: 'name', showHidden: false, filter: '' }

/** A folder, with its tree and its toolbars. */
export function Browser({ place }: { readonly place: Place }) {
  const { whose, path, at } = place
  const go = useGo()
  const isPhone = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false })
  const rowHeight = isPhone ? 58 : 42
  const [view, setView] = useState(remembered)
  const look = (change: Partial<View>) => {
    remembered = { ...view, ...change, filter: '' }
    setView({ ...view, ...change })
  }
  const rows = useRowsWindow(rowHeight, headHeight)
  const listing = useListing(whose, path, view, rows)
  const selection = useSelection(listing)
  const [menu, setMenu] = useState<MenuAsked>()
  const acts = useActs(place, selection)
  const [filtered, setFiltered] = useState(path)
  if (filtered !== path) {
    setFiltered(path) // a filter applies to one folder, however the next is opened
    setView({ ...view, filter: '' })
  }
  const openFolder = (to: string) => go({ to: '/files', search: at(to) })
  const up = () => path !== '' && openFolder(parentOf(path))
  const takeDrop = (transfer: DataTransfer, folder: string) =>
    void filesOfDrop(transfer, folder)
      .then(({ files, emptyFolders }) => {
        uploads.add(whose, files)
        return uploads.makeFolders(whose, emptyFolders)
      })
      .catch((error: unknown) => notify(textOf(error), true))
  const moving = useMoving({
    onMove: (items, folder) => acts.place('move', items, folder),
    onFiles: takeDrop,
  })
  const upload = { ...moving.ofFolder(path) }
  return (
    <FilesFrame place={place} tab="files" actions={<NewButtons place={place} onAsk={acts.ask} />}>
      <Paper withBorder radius="lg" className={classes.frame}>
        <div className={classes.side}>
          <FolderTree
            whose={whose}
            path={path}
            label="Folders"
            showHidden={view.showHidden}
            onChoose={openFolder}
            moving={moving}
          />
        </div>
        <div className={classes.main} {...upload}>
          {selection.items.length > 0 ? (
            <ChosenBar selection={selection} onAct={acts.act} />
          ) : (
            <FolderBar place={place} listing={listing} view={view} onLook={look} moving={moving} />
          )}
          {listing.error !== undefined && (
            <FolderFailure place={place} error={listing.error} onRetry={listing.refetch} />
          )}
          {listing.isPending && listing.error === undefined && (
            <div className={classes.loading}>
              <Loading rows={8} />
            </div>
          )}
          {!listing.isPending && listing.error === undefined && listing.count === 0 && (
            <Nothing folder={path} isFiltered={listing.total > 0} onUp={up} />
          )}
          {!listing.isPending && listing.count > 0 && (
            <EntryGrid
              place={place}
              listing={listing}
              selection={selection}
              rows={rows}
              view={view}
              moving={moving}
              renaming={acts.renaming}
              onRename={acts.rename}
              onSort={(sort) => look({ sort })}
              onAct={acts.act}
              onMenu={setMenu}
              onUp={up}
            />
          )}
          {moving.over === path && <div className={classes.drop}>Drop to upload into this folder</div>}
          {listing.error === undefined && <FolderFoot listing={listing} selection={selection} />}
        </div>
      </Paper>
      {menu && <ActionMenu asked={menu} onAct={acts.act} onClose={() => setMenu(undefined)} />}
      {acts.asked && <Dialogs asked={acts.asked} place={place} acts={acts} showHidden={view.showHidden} />}
    </FilesFrame>
  )
}

interface NothingProps {
  readonly folder: string
  readonly isFiltered: boolean
  readonly onUp: () => void
}

/** An empty list: it accepts the keyboard focus, so that the reader can go up from it. */
function Nothing({ folder, isFiltered, onUp }: NothingProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = box
    if (takeArrival()?.hadKeyboard) current?.focus()
    return () => {
      if (current?.contains(document.activeElement)) leaveEmpty(folder)
    }
  }, [folder])
  const goUp = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Backspace' || (event.key === 'ArrowUp' && event.altKey)) onUp()
  })
  useEffect(() => {
    const { current } = box
    current?.addEventListener('keydown', goUp)
    return () => current?.removeEventListener('keydown', goUp)
  }, [])
  return (
    <div ref={box} tabIndex={-1} role="group" aria-label="No entries" className={classes.nothing}>
      {isFiltered ? (
        <Empty title="No entry matches the filter">Clear it to see the folder’s other entries.</Empty>
      ) : (
        <Empty title="This folder is empty">Drop files here, or use New and Upload above.</Empty>
      )}
    </div>
  )
}
