import { useState } from 'react'
import { notify } from '../../../../web/kit/notices.tsx'
import { useGo } from '../../../../web/kit/RowLink.tsx'
import { textOf } from '../../../../web/wire.ts'
import { run } from '../../../../web/client.ts'
import { calls, carryOut, type Reach } from '../calls.ts'
import type { Work } from '../dialogs/WorkDialog.tsx'
import { downloads } from '../downloads.ts'
import { leadOf, textOfNowhere } from '../links.ts'
import { expectEntry } from '../list/arrival.ts'
import type { Selection } from '../list/selection.ts'
import { shown } from '../names.ts'
import { joinPath, parentOf } from '../paths.ts'
import { placeAll } from '../copy-move.ts'
import type { Item } from '../queries.ts'
import type { Place } from '../whose.ts'
import type { ActionId } from './actions.ts'
import { copyText } from '../../../../web/kit/copy-text.ts'

/** The dialog that is open. */
export type Asked =
  | { readonly kind: 'new-file' | 'new-folder' | 'fetch' | 'clone' }
  | {
      readonly kind: 'details' | 'move' | 'copy' | 'compress' | 'extract' | 'mode' | 'lock' | 'delete'
      readonly items: readonly Item[]
    }
  | { readonly kind: 'work'; readonly work: Work }

export type Acts = ReturnType<typeof useActs>

/** The actions that the lock of an entry prevents. */
const changing: ReadonlySet<ActionId> = new Set(['rename', 'move', 'mode', 'delete'])

/** Runs an action from a menu, a bar or a key; most actions open a dialog first. */
// oxlint-disable-next-line max-lines-per-function -- one hook over shared state
export function useActs({ whose, at }: Place, selection: Selection) {
  const go = useGo()
  const [asked, ask] = useState<Asked>()
  const [renaming, setRenaming] = useState<string>()
  const count = (items: readonly Item[]) =>
    items.length === 1 ? (items[0]?.label ?? '') : `${items.length} entries`
  const work = (next: Work) => ask({ kind: 'work', work: next })
  const place = (verb: 'move' | 'copy', items: readonly Item[], folder: string) => {
    selection.clear()
    ask(undefined)
    placeAll({ whose, verb, items, folder }).catch((error: unknown) => notify(textOf(error), true))
  }
  /** If the new name is rejected, the field stays open with the typed text. */
  const rename = async (item: Item, name: string | undefined) => {
    if (name === undefined) return setRenaming(undefined)
    const path = joinPath(parentOf(item.path), name)
    await carryOut(calls.rename(whose, item.path, name), () => {
      setRenaming((now) => (now === item.name ? undefined : now))
      selection.clear()
      expectEntry(path)
    })
  }
  const setMode = (items: readonly Item[], mode: string, reach: Reach) => {
    const what = `${reach === 'files' || reach === 'folders' ? `The ${reach} in ` : ''}${count(items)}`
    work({
      title: `Setting the permissions of ${count(items)}`,
      items,
      each: (item) => run(calls.chmod(whose, item.path, mode, item.type === 'folder' ? reach : 'itself')),
      done: `${what} now ${items.length === 1 && what === count(items) ? 'has' : 'have'} the mode ${mode}.`,
    })
  }
  const lock = (items: readonly Item[], isLocked: boolean) =>
    work({
      title: `${isLocked ? 'Locking' : 'Unlocking'} ${count(items)}`,
      items,
      each: (item) => run(calls.lock(whose, item.path, isLocked)),
      done: `${count(items)} ${isLocked ? 'locked' : 'unlocked'}.`,
    })
  const say = (error: unknown) => notify(textOf(error), true)
  const download = (items: readonly Item[], archive: 'zip' | 'tar.gz') =>
    void downloads.start(whose, items, archive).catch(say)
  const copyPath = async (items: readonly Item[]) => {
    const isCopied = await copyText(items.map(({ path }) => shown(path)).join('\n'))
    if (!isCopied) return notify('The browser does not allow copying to the clipboard.', true)
    notify(items.length === 1 ? 'The path was copied.' : 'The paths were copied.')
  }
  const open = async (item: Item) => {
    const lead = item.type === 'link' ? await leadOf(whose, item.path) : item.type
    if (lead === 'nowhere') return notify(textOfNowhere(item), true)
    go({ to: lead === 'folder' ? '/files' : '/files/edit', search: at(item.path) })
  }
  const act = (id: ActionId, items: readonly Item[]) => {
    const [first] = items
    if (first === undefined) return
    const locked = items.filter(({ is_locked }) => is_locked)
    if (changing.has(id) && locked.length > 0)
      return notify(`${count(locked)} ${locked.length === 1 ? 'is' : 'are'} locked. Unlock first.`, true)
    if (id === 'open')
      return first.type === 'other' ? ask({ kind: 'details', items }) : void open(first).catch(say)
    if (id === 'rename') return items.length === 1 ? (ask(undefined), setRenaming(first.name)) : undefined
    if (id === 'download' || id === 'download-tar')
      return download(items, id === 'download' ? 'zip' : 'tar.gz')
    if (id === 'lock' || id === 'unlock')
      return items.length === 1 && first.type === 'folder'
        ? ask({ kind: 'lock', items })
        : lock(items, id === 'lock')
    if (id === 'copy-path') return void copyPath(items)
    if (id === 'history') return go({ to: '/files/history', search: at(first.path) })
    if (id === 'vcs') return go({ to: '/files/vcs', search: at(first.path) })
    ask({ kind: id, items })
  }
  return {
    act,
    ask,
    asked,
    close: () => ask(undefined),
    place,
    rename,
    renaming,
    setMode,
    clear: selection.clear,
  }
}
