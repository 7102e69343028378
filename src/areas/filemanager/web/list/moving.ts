import { type DragEvent, useState } from 'react'
import { isWithin } from '../paths.ts'
import type { Item } from '../queries.ts'

type DragHandlers = Readonly<
  Partial<Record<'onDragStart' | 'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void>>
>

/** What is dragged over which folder. */
export interface Moving {
  /** The folder that would take what is dragged. */
  readonly over: string | undefined
  /** What a row listens to: it can be dragged, and a folder takes what is dropped. */
  readonly ofRow: (item: Item, carried: readonly Item[]) => DragHandlers
  /** What a folder elsewhere listens to. */
  readonly ofFolder: (path: string) => DragHandlers
}

interface MovingOptions {
  readonly onMove: (items: readonly Item[], folder: string) => void
  readonly onFiles: (transfer: DataTransfer, folder: string) => void
}

const mark = 'application/x-hostreeve-entries'

/** Lets entries be dragged into folders, and files of the reader's own machine be dropped on them. */
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
