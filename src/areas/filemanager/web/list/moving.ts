import { type DragEvent, useState } from 'react'
import { isWithin } from '../paths.ts'
import type { Item } from '../queries.ts'

type DragHandlers = Readonly<
  Partial<Record<'onDragStart' | 'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void>>
>

/** The state of a drag over a folder. */
export interface Moving {
  /** The folder under the dragged entries. */
  readonly over: string | undefined
  /** The handlers of a row: rows can be dragged, and folders accept drops. */
  readonly ofRow: (item: Item, carried: readonly Item[]) => DragHandlers
  /** The handlers of a folder outside the list. */
  readonly ofFolder: (path: string) => DragHandlers
}

interface MovingOptions {
  readonly onMove: (items: readonly Item[], folder: string) => void
  readonly onFiles: (transfer: DataTransfer, folder: string) => void
}

const mark = 'application/x-hostreeve-entries'

/** Lets the reader drag entries into folders, and drop files of their own machine on folders. */
export function useMoving({ onMove, onFiles }: MovingOptions): Moving {
  const [carried, setCarried] = useState<readonly Item[]>([])
  const [over, setOver] = useState<string>()
  const ofFolder = (path: string): DragHandlers => {
    const fits = (event: DragEvent) => {
      const { types } = event.dataTransfer
      return (
        types.includes('Files') ||
        (types.includes(mark) && carried.every((item) => !isWithin(path, item.path)))
      )
    }
    return {
      onDragOver: (event) => {
        if (!fits(event)) return
        event.preventDefault()
        event.stopPropagation()
        event.dataTransfer.dropEffect = event.dataTransfer.types.includes('Files') ? 'copy' : 'move'
        if (over !== path) setOver(path)
      },
      onDragLeave: () => setOver(undefined),
      onDrop: (event) => {
        if (!fits(event)) return
        event.preventDefault()
        event.stopPropagation()
        setOver(undefined)
        if (event.dataTransfer.types.includes(mark)) onMove(carried, path)
        else onFiles(event.dataTransfer, path)
      },
    }
  }
  return {
    over,
    ofFolder,
    ofRow: (item, items) => ({
      ...(item.type === 'folder' && ofFolder(item.path)),
      onDragStart: (event) => {
        setCarried(items)
        event.dataTransfer.setData(mark, String(items.length))
        event.dataTransfer.effectAllowed = 'move'
      },
    }),
  }
}
