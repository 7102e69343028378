import { readdir } from 'node:fs/promises'
import { Socket } from 'node:net'
import type { Call } from './call.ts'
import { changeMode } from './chmod.ts'
import { compressPaths } from './compress.ts'
import { copyPath } from './copy.ts'
import { sizeOfFolder } from './dirsize.ts'
import { entriesOfArchive } from './entries.ts'
import { extractArchive } from './extract.ts'
import { preview } from './preview/preview.ts'
import { makeFolder, removePaths } from './folders.ts'
import { listFolder, removeLeftover } from './list.ts'
import { lookIntoArchive } from './look.ts'
import { movePath } from './move.ts'
import { sendArchive } from './pack.ts'
import { isLeftover } from './paths.ts'
import { readFile } from './read.ts'
import { search } from './search.ts'
import { answer, sayReady, type CallRun } from './session.ts'
import { statPath } from './stat.ts'
import { emptyTrash, listTrash, restoreTrash } from './trash.ts'
import { carryUpload, removeOldUploads } from './uploads.ts'
import { writeFile } from './write.ts'

// The helper: runs under the owner's uid, with the owner's home as its working directory, and sees nothing else of the host.
process.umask(0o022)
const socket = new Socket({ fd: 3, readable: true, writable: true })
socket.on('error', () => process.exit(0))
socket.on('close', () => process.exit(0))
answer(socket, carry)
sayReady(socket)
void removeLeftovers()
void removeOldUploads()

function carry(call: Call, run: CallRun): unknown {
  switch (call.op) {
    case 'list':
      return listFolder(call)
    case 'stat':
      return statPath(call)
    case 'read':
      return readFile(call, run)
    case 'write':
      return writeFile(call, run)
    case 'mkdir':
      return makeFolder(call)
    case 'remove':
      return removePaths(call, run)
    case 'move':
      return movePath(call, run)
    case 'copy':
      return copyPath(call, run)
    case 'chmod':
      return changeMode(call, run)
    case 'dirsize':
      return sizeOfFolder(call, run)
    case 'trash':
      return listTrash(call)
    case 'restore':
      return restoreTrash(call, run)
    case 'empty':
      return emptyTrash(call, run)
    case 'search':
      return search(call, run)
    case 'compress':
      return compressPaths(call, run)
    case 'pack':
      return sendArchive(call, run)
    case 'extract':
      return extractArchive(call, run)
    case 'look':
      return lookIntoArchive(call, run)
    case 'entries':
      return entriesOfArchive(call, run)
    case 'upload':
      return carryUpload(call, run)
    case 'preview':
      return preview(call)
  }
}

async function removeLeftovers(): Promise<void> {
  const names = await readdir('.', { encoding: 'latin1' }).catch(() => [])
  for (const name of names) if (isLeftover(name)) await removeLeftover(name)
}
