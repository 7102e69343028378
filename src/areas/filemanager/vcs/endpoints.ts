import { created, data, succeeded } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { byBody, homeFiles } from '../endpoints/target.ts'
import { changing } from './failures.ts'
import * as model from './model.ts'
import * as remoteChanges from './remote-changes.ts'
import * as vcs from './vcs.ts'

const limitMs = 600_000

const changingRepository = endpoint.with({ category: homeFiles, throws: changing, target: byBody })

export const initRepository = changingRepository({
  method: 'POST',
  path: '/vcs/init',
  summary: 'Put a folder under version control',
  effect: 'changes',
  body: model.InitBody,
  reply: created(model.Initialised),
  run: ({ target, body, filemanager }) => vcs.initRepository(filemanager, target, body),
})

export const commitChanges = changingRepository({
  method: 'POST',
  path: '/vcs/commit',
  summary: 'Commit what changed: all of it, some paths, or what is staged',
  description:
    'Hooks do not run and commits are not signed. Where it fails, what was staged stays staged, and nothing else is.',
  effect: 'changes',
  body: model.CommitBody,
  reply: data(model.Committed),
  timeoutMs: limitMs,
  run: ({ target, body, filemanager, caller }) => vcs.commitChanges(filemanager, target, { body, caller }),
})

export const revertChanges = changingRepository({
  method: 'POST',
  path: '/vcs/revert',
  summary: 'Take a commit back, or discard changes that are not committed',
  description:
    'With commit a new commit undoes it; where that conflicts nothing changes. With paths or all, files are again as in the last commit; those that no commit has go to the trash.',
  effect: 'destroys',
  body: model.RevertBody,
  reply: data(model.Reverted),
  timeoutMs: limitMs,
  run: ({ target, body, filemanager, caller }) => vcs.revertChanges(filemanager, target, { body, caller }),
})

export const changeRemote = changingRepository({
  method: 'POST',
  path: '/vcs/remote',
  summary: 'Add, change or remove a remote, or what is kept for it',
  description:
    'Credentials are kept sealed and used for the address alone that the remote has now. forget_fingerprint lets the next contact take whatever ssh key the server shows.',
  effect: 'changes',
  body: model.RemoteBody,
  reply: succeeded,
  run: ({ target, body, filemanager, now }) => remoteChanges.changeRemote(filemanager, target, { body, now }),
})
