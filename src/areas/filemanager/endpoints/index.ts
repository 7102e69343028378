import { changeMode, copyFile, dirsize, lockFile, moveFile, renameFile, unlockFile } from './arrange.ts'
import { compressFiles, extractArchive } from './archives.ts'
import { deleteFiles, download, listFiles, makeFolder, readFile, statFile, uploadFile, writeFile } from './files.ts'
import { searchFiles } from './search.ts'
import { emptyTrash, listTrash, restoreTrash } from './trash.ts'

export const filemanagerEndpoints = [
  ...[listFiles, statFile, readFile, download, writeFile, makeFolder, uploadFile, deleteFiles],
  ...[moveFile, renameFile, copyFile, changeMode, dirsize, lockFile, unlockFile],
  ...[compressFiles, extractArchive],
  searchFiles,
  ...[listTrash, restoreTrash, emptyTrash],
]
