import type { Item } from '../queries.ts'
import { isArchive } from '../paths.ts'

export type ActionId =
  | 'open'
  | 'details'
  | 'download'
  | 'download-tar'
  | 'rename'
  | 'move'
  | 'copy'
  | 'compress'
  | 'extract'
  | 'mode'
  | 'lock'
  | 'unlock'
  | 'history'
  | 'vcs'
  | 'copy-path'
  | 'delete'

/** An action on the selected entries; the toolbar and every menu offer the same actions. */
export interface Action {
  readonly id: ActionId
  readonly label: string
  /** The keyboard shortcut, as it is displayed. */
  readonly keys?: string
  /** Starts a new group of the menu. */
  readonly begins?: boolean
}

/** Returns the actions for these entries, in menu order. */
export function actionsFor(items: readonly Item[]): readonly Action[] {
  const [only] = items
  if (only === undefined) return []
  const one = items.length === 1 ? only : undefined
  const isFolder = one?.type === 'folder'
  const isLocked = items.every(({ is_locked }) => is_locked)
  const lock: Action = isLocked ? { id: 'unlock', label: 'Unlock' } : { id: 'lock', label: 'Lock' }
  const all: readonly (Action | false)[] = [
    one !== undefined && one.type !== 'other' && { id: 'open', label: 'Open', keys: 'Enter' },
    one !== undefined && { id: 'details', label: 'Details', keys: 'Alt+Enter' },
    items.every(({ type }) => type !== 'other') && {
      id: 'download',
      label: isFolder ? 'Download as zip' : 'Download',
    },
    isFolder && { id: 'download-tar', label: 'Download as tar.gz' },
    one !== undefined && { id: 'rename', label: 'Rename', keys: 'F2', begins: true },
    { id: 'move', label: 'Move to …', keys: 'Ctrl+X', begins: one === undefined },
    { id: 'copy', label: 'Copy to …', keys: 'Ctrl+C' },
    { id: 'compress', label: 'Compress …', begins: true },
    one?.type === 'file' && isArchive(one.name) && { id: 'extract', label: 'Extract …' },
    items.every(({ type }) => type !== 'link') && { id: 'mode', label: 'Permissions …', begins: true },
    items.every(({ type }) => type === 'file' || type === 'folder') && lock,
    one?.type === 'file' && { id: 'history', label: 'Earlier versions', begins: true },
    isFolder && { id: 'vcs', label: 'Version control', begins: true },
    { id: 'copy-path', label: items.length === 1 ? 'Copy the path' : 'Copy the paths' },
    { id: 'delete', label: 'Delete …', keys: 'Delete', begins: true },
  ]
  return all.filter((each) => each !== false)
}
