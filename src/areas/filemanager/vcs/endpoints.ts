import { change, step } from '../../../core/change.ts'
import { BadRequest } from '../../../core/problem.ts'
import { created, data, succeeded } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { byBody, homeFiles } from '../endpoints/target.ts'
import { pathFields, pathOf } from '../paths.ts'
import { changing } from './failures.ts'
import * as model from './model.ts'
import { chosenIn, plain } from './paths.ts'
import { authorFor } from './vcs.ts'
import { repositoryLock } from '../locks.ts'

const limitMs = 600_000

export const initRepository = endpoint({
  method: 'POST',
  path: '/vcs/init',
  summary: 'Put a folder under version control',
  effect: 'changes',
  category: homeFiles,
  body: model.InitBody,
  reply: created(model.Initialised),
  throws: changing,
  target: byBody,
  run: ({ target: { username }, body, filemanager }) => {
    const path = pathOf(body, 'path', '')
    return change({
      summary: `Put ${path.path || 'the home'} of ${username} under version control`,
      locks: [repositoryLock(username, plain(path.path))],
      steps: [step(filemanager.vcs.steps.vcsInit, { username, path, branch: body.branch })],
      reply: { ...pathFields(path.path), branch: body.branch },
    })
  },
})

export const commitChanges = endpoint({
  method: 'POST',
  path: '/vcs/commit',
  summary: 'Commit what changed: all of it, some paths, or what is staged',
  description:
    'Hooks do not run and commits are not signed. Where it fails, what was staged stays staged, and nothing else is.',
  effect: 'changes',
  category: homeFiles,
  body: model.CommitBody,
  reply: data(model.Committed),
  throws: changing,
  timeoutMs: limitMs,
  target: byBody,
  run: async ({ target: { username, owner }, body, filemanager, caller }) => {
    const { path, root, what = 'staged' } = await chosenIn(owner, body)
    const { author_name: name, author_email: email } = body
    const author = { ...(name !== undefined && { name }), ...(email !== undefined && { email }) }
    return change({
      summary: `Commit in ${root || 'the home'} of ${username}`,
      locks: [repositoryLock(username, root)],
      steps: [
        step(filemanager.vcs.steps.vcsCommit, {
          username,
          path,
          message: body.message,
          what,
          author,
          caller: authorFor(caller),
        }),
      ],
      reply: ({ results }) => results[0],
    })
  },
})

export const revertChanges = endpoint({
  method: 'POST',
  path: '/vcs/revert',
  summary: 'Take a commit back, or discard changes that are not committed',
  description:
    'With commit a new commit undoes it; where that conflicts nothing changes. With paths or all, files are again as in the last commit; those that no commit has go to the trash.',
  effect: 'destroys',
  category: homeFiles,
  body: model.RevertBody,
  reply: data(model.Reverted),
  throws: changing,
  timeoutMs: limitMs,
  target: byBody,
  run: async ({ target: { username, owner }, body, filemanager, caller }) => {
    const { path, root, what } = await chosenIn(owner, body)
    const { commit } = body
    if ((commit === undefined) === (what === undefined))
      throw BadRequest('commit: exactly one of commit, paths and all is required')
    const args = {
      username,
      path,
      caller: authorFor(caller),
      ...(what !== undefined && { what }),
      ...(commit !== undefined && { commit }),
    }
    return change({
      summary: `${commit === undefined ? 'Discard changes' : `Take ${commit} back`} in ${root || 'the home'} of ${username}`,
      locks: [repositoryLock(username, root)],
      steps: [step(filemanager.vcs.steps.vcsRevert, args)],
      reply: ({ results }) => results[0],
    })
  },
})

export const changeRemote = endpoint({
  method: 'POST',
  path: '/vcs/remote',
  summary: 'Add, change or remove a remote, or what is kept for it',
  description:
    'Credentials are kept sealed and used for the address alone that the remote has now. forget_fingerprint lets the next contact take whatever ssh key the server shows.',
  effect: 'changes',
  category: homeFiles,
  body: model.RemoteBody,
  reply: succeeded,
  throws: changing,
  target: byBody,
  run: ({ target, body, filemanager, now }) =>
    filemanager.vcs.changeRemote(target, pathOf(body, 'path', ''), body, now),
})
