import { otherName } from './paths.ts'

/** What is to be saved on the reader's machine. */
export interface Wanted {
  readonly name: string
  /** Unknown for archives, which are made on the way. */
  readonly size: number | undefined
}

/** What takes the bytes: a file of the reader's, or the memory until all is there. */
export interface Sink {
  readonly write: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>
  readonly close: () => Promise<void>
  readonly abort: () => Promise<void>
}

/** Opens what takes the bytes; undefined where the memory has to. */
export type Target = (() => Promise<Sink>) | undefined

type FilePicker = (options: { readonly suggestedName: string }) => Promise<FileSystemFileHandle>
type FolderPicker = (options: { readonly mode: 'readwrite' }) => Promise<FileSystemDirectoryHandle>

const straightToDiskBytes = 200 * 1024 * 1024
const addressMs = 60_000
const mostNames = 1000

/** Whether so much should not lie in memory: a large file, or an archive, of which nobody knows. */
export const isLarge = ({ size }: Pick<Wanted, 'size'>): boolean =>
  size === undefined || size > straightToDiskBytes

/** Asks once where everything goes, as a browser lets a page ask once for each click: a file for one large thing, a folder for several. */
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

/** Takes bytes into the memory, and hands them to the browser as a file when all are there. */
export function memorySink(name: string): Sink {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  return {
    write: async (chunk) => void chunks.push(chunk),
    close: async () => keep(new Blob(chunks), name),
    abort: async () => {},
  }
}

/** A way to ask that not every browser has; bound, as it belongs to the window. */
function picker<Pick extends (...args: never) => unknown>(name: string): Pick | undefined {
  const found: Pick | undefined = Reflect.get(globalThis, name)
  return found
}

/** A file of a name that is free in the folder: nothing of the reader's is replaced unseen. */
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
    if (error instanceof DOMException && error.name === 'TypeMismatchError') return true // a folder has this name
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
