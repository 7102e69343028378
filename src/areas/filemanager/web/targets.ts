import { otherName } from './paths.ts'

/** A file to save on the reader's machine. */
export interface Wanted {
  readonly name: string
  /** Unknown for archives, which are created while they are downloaded. */
  readonly size: number | undefined
}

/** The destination of downloaded bytes: a file on disk, or memory until the download is complete. */
export interface Sink {
  readonly write: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>
  readonly close: () => Promise<void>
  readonly abort: () => Promise<void>
}

/** Opens a file on disk; undefined if the download must be kept in memory. */
export type Target = (() => Promise<Sink>) | undefined

type FilePicker = (options: { readonly suggestedName: string }) => Promise<FileSystemFileHandle>
type FolderPicker = (options: { readonly mode: 'readwrite' }) => Promise<FileSystemDirectoryHandle>

const straightToDiskBytes = 200 * 1024 * 1024
const addressMs = 60_000
const mostNames = 1000

/** Returns true if a download is too large for memory, or is an archive of unknown size. */
export const isLarge = ({ size }: Pick<Wanted, 'size'>): boolean =>
  size === undefined || size > straightToDiskBytes

/**
 * Asks for all destinations at once, because a browser allows one dialog per click: a file for one download,
 * a folder for several.
 */
export async function targetsFor(wanted: readonly Wanted[]): Promise<readonly Target[]> {
  const large = wanted.filter(isLarge)
  const [only] = large
  const pickFile = picker<FilePicker>('showSaveFilePicker')
  const pickFolder = picker<FolderPicker>('showDirectoryPicker')
  if (large.length > 1 && pickFolder) {
    const folder = await pickFolder({ mode: 'readwrite' })
    return wanted.map(
      ({ name }) =>
        () =>
          fileIn(folder, name),
    )
  }
  if (only === undefined || large.length > 1 || !pickFile) return wanted.map(() => undefined)
  const file = await pickFile({ suggestedName: only.name })
  return wanted.map((each) => (each === only ? () => sinkOf(file) : undefined))
}

/** Collects bytes in memory and passes them to the browser as a file at the end. */
export function memorySink(name: string): Sink {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  return {
    write: async (chunk) => void chunks.push(chunk),
    close: async () => keep(new Blob(chunks), name),
    abort: async () => {},
  }
}

/** Returns a file picker; undefined in browsers that lack it. */
function picker<Pick extends (...args: never) => unknown>(name: string): Pick | undefined {
  const found: Pick | undefined = Reflect.get(globalThis, name)
  return found
}

/** Creates a file under a free name in the folder, so that none of the reader's files is replaced. */
async function fileIn(folder: FileSystemDirectoryHandle, name: string): Promise<Sink> {
  for (let count = 1; count < mostNames; count++) {
    const free = count === 1 ? name : otherName(name, count)
    if (await isTaken(folder, free)) continue
    return sinkOf(await folder.getFileHandle(free, { create: true }), () => folder.removeEntry(free))
  }
  throw new Error(`No free name was found for ${name}`)
}

async function isTaken(folder: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  try {
    await folder.getFileHandle(name)
    return true
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') return false
    // a folder has this name
    if (error instanceof DOMException && error.name === 'TypeMismatchError') return true
    throw error
  }
}

async function sinkOf(
  file: FileSystemFileHandle,
  remove: () => Promise<void> = async () => {},
): Promise<Sink> {
  const stream = await file.createWritable()
  return {
    write: (chunk) => stream.write(chunk),
    close: () => stream.close(),
    abort: async () => {
      await stream.abort()
      await remove()
    },
  }
}

function keep(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), addressMs)
}
