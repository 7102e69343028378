/** A file to send, with the folder that it goes to. */
export interface Wanted {
  readonly file: File
  readonly folder: string
}

const mostFiles = 20_000

/** The files of a drop, also those within folders. Must be called while the drop is being told. */
export async function filesOfDrop(transfer: DataTransfer, folder: string): Promise<readonly Wanted[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return [...transfer.files].map((file) => ({ file, folder }))
  const found: Wanted[] = []
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

async function walk(entry: FileSystemEntry, folder: string, found: Wanted[]): Promise<void> {
  if (found.length >= mostFiles) throw new Error(`More than ${mostFiles} files at once: pack them into an archive, and extract it here`)
  if (isFileEntry(entry)) found.push({ file: await fileOf(entry), folder })
  if (!isFolderEntry(entry)) return
  const within = [folder, entry.name].filter(Boolean).join('/')
  const reader = entry.createReader()
  for (let some = await readSome(reader); some.length > 0; some = await readSome(reader)) for (const each of some) await walk(each, within, found)
}

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolderEntry = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((resolve, reject) => entry.file(resolve, reject))

/** A reader gives at most a hundred entries at a time. */
const readSome = (reader: FileSystemDirectoryReader): Promise<readonly FileSystemEntry[]> =>
  new Promise((resolve, reject) => reader.readEntries(resolve, reject))
