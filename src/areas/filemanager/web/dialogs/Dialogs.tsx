import { useGo } from '../../../../web/kit/RowLink.tsx'
import type { Acts, Asked } from '../actions/acts.ts'
import { CloneDialog } from '../vcs/CloneDialog.tsx'
import type { Place } from '../whose.ts'
import { CompressDialog } from './CompressDialog.tsx'
import { DeleteDialog } from './DeleteDialog.tsx'
import { DetailsDrawer } from './DetailsDrawer.tsx'
import { ExtractDialog } from './ExtractDialog.tsx'
import { FetchDialog } from './FetchDialog.tsx'
import { LockDialog } from './LockDialog.tsx'
import { ModeDialog } from './ModeDialog.tsx'
import { NewDialog } from './NewDialog.tsx'
import { PlaceDialog } from './PlaceDialog.tsx'
import { WorkDialog } from './WorkDialog.tsx'

interface DialogsProps {
  readonly asked: Asked
  readonly place: Place
  readonly acts: Acts
  /** The list shows hidden files. */
  readonly showHidden: boolean
}

/** The open dialog. */
export function Dialogs({ asked, place: { whose, path, at }, acts, showHidden }: DialogsProps) {
  const go = useGo()
  const same = { whose, onClose: acts.close }
  if (asked.kind === 'new-file' || asked.kind === 'new-folder')
    return (
      <NewDialog
        {...same}
        kind={asked.kind === 'new-file' ? 'file' : 'folder'}
        folder={path}
        onMade={(made) => go({ to: '/files/edit', search: at(made) })}
      />
    )
  if (asked.kind === 'fetch') return <FetchDialog {...same} folder={path} />
  if (asked.kind === 'clone')
    return (
      <CloneDialog {...same} folder={path} onCloned={(made) => go({ to: '/files/vcs', search: at(made) })} />
    )
  if (asked.kind === 'work')
    return <WorkDialog key={asked.work.title} work={asked.work} onClose={acts.close} />
  if (!('items' in asked)) return null
  const { items } = asked
  const [first] = items
  if (first === undefined) return null
  if (asked.kind === 'details') return <DetailsDrawer {...same} item={first} onAct={acts.act} />
  if (asked.kind === 'delete') return <DeleteDialog {...same} items={items} onDone={acts.clear} />
  if (asked.kind === 'compress') return <CompressDialog {...same} items={items} />
  if (asked.kind === 'extract') return <ExtractDialog {...same} item={first} showHidden={showHidden} />
  if (asked.kind === 'lock') return <LockDialog {...same} item={first} />
  if (asked.kind === 'mode')
    return <ModeDialog {...same} items={items} onApply={(mode, reach) => acts.setMode(items, mode, reach)} />
  const { kind } = asked
  return (
    <PlaceDialog
      {...same}
      verb={kind}
      items={items}
      showHidden={showHidden}
      onPlace={(folder) => acts.place(kind, items, folder)}
    />
  )
}
