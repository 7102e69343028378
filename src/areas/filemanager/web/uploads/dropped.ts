/** A file to upload, with its destination folder. */
export interface Wanted {
  readonly file: File
  readonly folder: string
}

/** The dropped files, and the dropped folders that contain none. */
export interface Dropped {
  readonly files: readonly Wanted[]
  readonly emptyFolders: readonly string[]
}

const mostEntries = 20_000

/**
 * Returns the dropped files, including those in folders; must be called inside the event handler of the
 * drop.
 */
export async function filesOfDrop(transfer: DataTransfer, folder: string): Promise<Dropped> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0)
    return { files: [...transfer.files].map((file) => ({ file, folder })), emptyFolders: [] }
  return filesOfEntries(entries, folder)
}

/** Returns the files of entries and of their folders, and the empty folders. */
export async function filesOfEntries(entries: readonly FileSystemEntry[], folder: string): Promise<Dropped> {
  const found = { files: [], emptyFolders: [] }
  for (const entry of entries) await walk(entry, folder, found)
  return found
}

/** Returns the files of a file input or a folder input. */
export function filesOfInput(files: Iterable<File>, folder: string): readonly Wanted[] {
  return [...files].map((file) => {
    const above = file.webkitRelativePath.split('/').slice(0, -1).join('/')
    return { file, folder: [folder, above].filter(Boolean).join('/') }
  })
}

interface Found {
  readonly files: Wanted[]
  readonly emptyFolders: string[]
}

async function walk(entry: FileSystemEntry, folder: string, found: Found): Promise<void> {
  if (found.files.length + found.emptyFolders.length >= mostEntries)
    throw new Error(`More than ${mostEntries} files at once: pack them into an archive, and extract it here`)
  if (isFileEntry(entry)) found.files.push({ file: await fileOf(entry), folder })
  if (!isFolderEntry(entry)) return
  const within = [folder, entry.name].filter(Boolean).join('/')
  const reader = entry.createReader()
  let isEmpty = true
  for (let some = await readSome(reader); some.length > 0; some = await readSome(reader)) {
    isEmpty = false
    for (const each of some) await walk(each, within, found)
  }
  if (isEmpty) found.emptyFolders.push(within)
}

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolderEntry = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))

/** A directory reader returns at most a hundred entries per call. */
const readSome = (reader: FileSystemDirectoryReader): Promise<readonly FileSystemEntry[]> =>
  new Promise((resolve, reject) => reader.readEntries(resolve, reject))
