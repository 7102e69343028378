import { failures } from '../../../core/endpoint.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { ownerProblems } from '../../../host/owner/index.ts'
import * as arrange from '../arrange.ts'
import { endpoint } from '../context.ts'
import { listed, own } from '../failures.ts'
import { ChmodBody, Dirsize, DirsizeQuery, LockBody, PlaceBody, RenameBody } from '../model.ts'
import { byBody, byQuery, changingFiles, homeFiles, hourMs } from './target.ts'

export const moveFile = changingFiles({
  method: 'POST',
  path: '/move',
  summary: 'Move a file or folder',
  effect: 'changes',
  body: PlaceBody,
  reply: succeeded,
  throws: listed,
  timeoutMs: hourMs,
  run: ({ target, body, caller, filemanager }) =>
    arrange.moveFile(filemanager, target, { body, by: caller.user.id }),
})

export const renameFile = changingFiles({
  method: 'POST',
  path: '/rename',
  summary: 'Give a file or folder another name',
  effect: 'changes',
  body: RenameBody,
  reply: succeeded,
  throws: listed,
  timeoutMs: hourMs,
  run: ({ target, body, caller, filemanager }) =>
    arrange.renameFile(filemanager, target, { body, by: caller.user.id }),
})

export const copyFile = changingFiles({
  method: 'POST',
  path: '/copy',
  summary: 'Copy a file or folder, with modes and times',
  description:
    'The copy appears when it is whole. Links are copied as links; setuid and setgid do not travel.',
  effect: 'changes',
  body: PlaceBody,
  reply: succeeded,
  throws: own('copy_failed'),
  timeoutMs: hourMs,
  run: ({ target, body, caller, filemanager }) =>
    arrange.copyFile(filemanager, target, { body, by: caller.user.id }),
})

export const changeMode = changingFiles({
  method: 'POST',
  path: '/chmod',
  summary: 'Change the mode of a file or folder',
  description:
    'Links are never followed. With `recursive` for the whole home, `.ssh` stays as sshd needs it.',
  effect: 'changes',
  body: ChmodBody,
  reply: succeeded,
  throws: own('chmod_failed'),
  timeoutMs: hourMs,
  run: ({ target, body, filemanager }) => arrange.changeMode(filemanager, target, body),
})

export const dirsize = endpoint({
  method: 'GET',
  path: '/dirsize',
  summary: 'Add up the size of a folder',
  effect: 'reads',
  query: DirsizeQuery,
  reply: data(Dirsize),
  throws: own('dirsize_failed'),
  timeoutMs: hourMs / 6,
  target: byQuery,
  run: ({ target, query, signal }) => arrange.dirsize(target, query, signal),
})

export const lockFile = locking('lock', 'Make a file or folder immutable', true)
export const unlockFile = locking('unlock', 'Let an immutable file or folder be changed again', false)

function locking(word: 'lock' | 'unlock', summary: string, isLocked: boolean) {
  return endpoint({
    method: 'POST',
    path: `/${word}`,
    summary,
    effect: 'changes',
    category: homeFiles,
    body: LockBody,
    reply: succeeded,
    throws: failures(listed, { [`${word}_failed`]: ownerProblems.NotLockable }),
    target: byBody,
    run: ({ target, body, filemanager }) => arrange.setLock(filemanager, target, { body, isLocked }),
  })
}
