/** A file to send, with the folder that it goes to. */
export interface Wanted {
  readonly file: File
  readonly folder: string
}

/** What was dropped: its files, and the folders that have none. */
export interface Dropped {
  readonly files: readonly Wanted[]
  readonly emptyFolders: readonly string[]
}

const mostEntries = 20_000

/** The files of a drop, also those within folders. Must be called while the drop is being told. */
export async function filesOfDrop(transfer: DataTransfer, folder: string): Promise<Dropped> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0)
    return { files: [...transfer.files].map((file) => ({ file, folder })), emptyFolders: [] }
  return filesOfEntries(entries, folder)
}

/** The files of entries and of the folders among them, and the folders that are empty. */
export async function filesOfEntries(entries: readonly FileSystemEntry[], folder: string): Promise<Dropped> {
  const found = { files: [], emptyFolders: [] }
  for (const entry of entries) await walk(entry, folder, found)
  return found
}

/** The files of an input that takes files or a folder. */
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

/** A reader gives at most a hundred entries at a time. */
const readSome = (reader: FileSystemDirectoryReader): Promise<readonly FileSystemEntry[]> =>
  new Promise((resolve, reject) => reader.readEntries(resolve, reject))
