import { changeMode, copyFile, dirsize, lockFile, moveFile, renameFile, unlockFile } from './arrange.ts'
import { compressFiles, extractArchive, startCompress, startExtract } from './archives.ts'
import { deleteFiles, download, listFiles, makeFolder, readFile, statFile, writeFile } from './files.ts'
import { historyEndpoints } from '../history/endpoints.ts'
import { listActiveJobs } from '../active-jobs/endpoints.ts'
import { startCopy, startMove } from '../copy-move/endpoints.ts'
import { searchFiles, streamSearch } from './search.ts'
import { downloadUrl, startDownload } from '../transfers/download-endpoints.ts'
import { cancelUpload, listUploads, readUpload, uploadFile, uploadPart } from '../transfers/endpoints.ts'
import { emptyTrash, listTrash, restoreTrash } from './trash.ts'
import { changeRemote, commitChanges, initRepository, revertChanges } from '../vcs/endpoints.ts'
import { readDiff, readLog, readStatus, showOne } from '../vcs/reading-endpoints.ts'
import { cloneRepository, pullRepository, pushRepository } from '../vcs/transfer-endpoints.ts'

export const filemanagerEndpoints = [
  ...[listFiles, statFile, readFile, download, writeFile, makeFolder, deleteFiles],
  ...[moveFile, renameFile, copyFile, changeMode, dirsize, lockFile, unlockFile],
  ...[compressFiles, startCompress, extractArchive, startExtract, startCopy, startMove, listActiveJobs],
  ...[searchFiles, streamSearch],
  ...[uploadFile, listUploads, readUpload, uploadPart, cancelUpload, downloadUrl, startDownload],
  ...historyEndpoints,
  ...[listTrash, restoreTrash, emptyTrash],
  ...[readStatus, initRepository, cloneRepository, commitChanges, pullRepository, pushRepository],
  ...[changeRemote, revertChanges, readDiff, readLog, showOne],
]
