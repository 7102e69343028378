import { Paper } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { useGo } from '../../../web/kit/RowLink.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { wordsOf } from '../../../web/wire.ts'
import { ActionMenu, type MenuAsked } from './actions/ActionMenu.tsx'
import { useActs } from './actions/acts.ts'
import { ChosenBar, FolderBar, FolderFoot } from './bars.tsx'
import { Dialogs } from './dialogs/Dialogs.tsx'
import { FilesFrame } from './FilesFrame.tsx'
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

/** A folder: its tree beside it, what can be done above it. */
export function Browser({ place }: { readonly place: Place }) {
  const { whose, path, at } = place
  const go = useGo()
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
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
  const openFolder = (to: string) => {
    setView({ ...view, filter: '' })
    go({ to: '/files', search: at(to) })
  }
  const takeDrop = (transfer: DataTransfer, folder: string) =>
    void filesOfDrop(transfer, folder).then(
      (files) => uploads.add(whose, files),
      (error: unknown) => notify(wordsOf(error), true),
    )
  const moving = useMoving({ onMove: (items, folder) => acts.place('move', items, folder), onFiles: takeDrop })
  const upload = { ...moving.ofFolder(path) }
  return (
    <FilesFrame place={place} tab="files" actions={<NewButtons place={place} onAsk={acts.ask} />}>
      <Paper withBorder radius="lg" className={classes.frame}>
        <div className={classes.side}>
          <FolderTree whose={whose} path={path} label="Folders" showHidden={view.showHidden} onChoose={openFolder} moving={moving} />
        </div>
        <div className={classes.main} {...upload}>
          {selection.items.length > 0 ? (
            <ChosenBar selection={selection} onAct={acts.act} />
          ) : (
            <FolderBar place={place} listing={listing} view={view} onLook={look} moving={moving} />
          )}
          {listing.error !== undefined && <Failure error={listing.error} onRetry={listing.refetch} />}
          {listing.isPending && listing.error === undefined && (
            <div className={classes.loading}>
              <Loading rows={8} />
            </div>
          )}
          {!listing.isPending && listing.error === undefined && listing.count === 0 && <Nothing isFiltered={listing.total > 0} />}
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
              onUp={() => path !== '' && openFolder(parentOf(path))}
            />
          )}
          {moving.over === path && <div className={classes.drop}>Drop to upload into this folder</div>}
          <FolderFoot listing={listing} selection={selection} />
        </div>
      </Paper>
      {menu && <ActionMenu asked={menu} onAct={acts.act} onClose={() => setMenu(undefined)} />}
      {acts.asked && <Dialogs asked={acts.asked} place={place} acts={acts} />}
    </FilesFrame>
  )
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty title="Nothing fits the filter">Clear it to see the folder’s other entries.</Empty>
  return <Empty title="This folder is empty">Drop files here, or use New and Upload above.</Empty>
}
