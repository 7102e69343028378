import { changeMode, copyFile, dirsize, lockFile, moveFile, renameFile, unlockFile } from './arrange.ts'
import { deleteFiles, download, extractArchive, listFiles, makeFolder, readFile, statFile, uploadFile, writeFile } from './files.ts'

export const filemanagerEndpoints = [
  ...[listFiles, statFile, readFile, download, writeFile, makeFolder, uploadFile, extractArchive, deleteFiles],
  ...[moveFile, renameFile, copyFile, changeMode, dirsize, lockFile, unlockFile],
]
