import { change, step } from '../../../core/change.ts'
import { BadRequest } from '../../../core/problem.ts'
import { created, data, list, succeeded } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { byBody, byQuery } from '../endpoints/asked.ts'
import { pathFields, pathOf } from '../paths.ts'
import { changing, reading } from './failures.ts'
import * as model from './model.ts'
import { chosen, fileOf, within } from './paths.ts'
import { showCommit, showDifference } from './shows.ts'
import { authorFor } from './vcs.ts'

const limitMs = 600_000

export const readStatus = endpoint({
  method: 'GET',
  path: '/vcs',
  summary: 'Read how a folder stands under version control',
  description: 'For a folder under none is_repository is false. Repositories whose configuration could start programs are refused with its key.',
  effect: 'reads',
  query: model.StatusQuery,
  reply: data(model.Status),
  throws: reading,
  timeoutMs: limitMs,
  target: byQuery,
  run: ({ target, query, filemanager, caller, signal }) => filemanager.vcs.status(target, pathOf(query, 'path', ''), caller, signal),
})

export const initRepository = endpoint({
  method: 'POST',
  path: '/vcs/init',
  summary: 'Put a folder under version control',
  effect: 'changes',
  action: 'repository_created',
  body: model.InitBody,
  reply: created(model.Initialised),
  throws: changing,
  target: byBody,
  run: ({ target: { username }, body, filemanager }) => {
    const path = pathOf(body, 'path', '')
    return change({
      summary: `Put ${path.path || 'the home'} of ${username} under version control`,
      locks: [`vcs:${username}:${path.path}`],
      steps: [step(filemanager.vcs.steps.vcsInit, { username, path, branch: body.branch })],
      reply: { ...pathFields(path.path), branch: body.branch },
    })
  },
})

export const commitChanges = endpoint({
  method: 'POST',
  path: '/vcs/commit',
  summary: 'Commit what changed: all of it, some paths, or what is staged',
  description: 'Hooks do not run and commits are not signed. Where it fails, what was staged stays staged, and nothing else is.',
  effect: 'changes',
  action: 'repository_committed',
  body: model.CommitBody,
  reply: data(model.Committed),
  throws: changing,
  timeoutMs: limitMs,
  target: byBody,
  run: async ({ target: { username, owner }, body, filemanager, caller }) => {
    const path = pathOf(body, 'path', '')
    const root = await owner.git.rootOf(path)
    const picked = chosen(body)
    const what = Array.isArray(picked) ? picked.map((one) => within(root, one)) : picked === 'all' ? 'all' : 'staged'
    const { author_name: name, author_email: email } = body
    const author = { ...(name !== undefined && { name }), ...(email !== undefined && { email }) }
    return change({
      summary: `Commit in ${root || 'the home'} of ${username}`,
      locks: [`vcs:${username}:${root}`],
      steps: [step(filemanager.vcs.steps.vcsCommit, { username, path, message: body.message, what, author, caller: authorFor(caller) })],
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
  action: 'repository_reverted',
  body: model.RevertBody,
  reply: data(model.Reverted),
  throws: changing,
  timeoutMs: limitMs,
  target: byBody,
  run: async ({ target: { username, owner }, body, filemanager, caller }) => {
    const path = pathOf(body, 'path', '')
    const root = await owner.git.rootOf(path)
    const picked = chosen(body)
    if ((body.commit === undefined) === (picked === undefined)) throw BadRequest('commit: exactly one of commit, paths and all is required')
    const what = Array.isArray(picked) ? picked.map((one) => within(root, one)) : ('all' as const)
    const args = { username, path, caller: authorFor(caller), ...(body.commit === undefined ? { what } : { commit: body.commit }) }
    return change({
      summary:
        body.commit === undefined
          ? `Discard changes in ${root || 'the home'} of ${username}`
          : `Take ${body.commit} back in ${root || 'the home'} of ${username}`,
      locks: [`vcs:${username}:${root}`],
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
  action: 'repository_remote_changed',
  body: model.RemoteBody,
  reply: succeeded,
  throws: changing,
  target: byBody,
  run: ({ target, body, filemanager, now }) => filemanager.vcs.changeRemote(target, pathOf(body, 'path', ''), body, now),
})

export const readDiff = endpoint({
  method: 'GET',
  path: '/vcs/diff',
  summary: 'Compare the folder, what is staged, or two commits',
  description: 'Without from and to the folder with the last commit. Files that no commit has are not in it.',
  effect: 'reads',
  query: model.DiffQuery,
  reply: data(model.Diff),
  throws: reading,
  timeoutMs: limitMs,
  target: byQuery,
  run: async ({ target: { owner }, query, signal }) => {
    const path = pathOf(query, 'path', '')
    if (query.staged && query.from !== undefined) throw BadRequest('staged: must not be sent beside from')
    if (query.to !== undefined && query.from === undefined) throw BadRequest('to: must be sent with from')
    const root = await owner.git.rootOf(path)
    const file = fileOf(query)
    const { from, to, staged, context } = query
    const sides = { ...(from !== undefined && { from }), ...(to !== undefined && { to }), staged, context }
    return showDifference(root, await owner.git.diff(path, { ...sides, ...(file && { file: within(root, file) }) }, signal))
  },
})

export const readLog = endpoint({
  method: 'GET',
  path: '/vcs/log',
  summary: 'List the commits that lead to a place, the last first',
  effect: 'reads',
  query: model.LogQuery,
  reply: list(model.LogEntry, { sort: ['-committed_at'], search: [] }),
  throws: reading,
  timeoutMs: limitMs,
  target: byQuery,
  run: async ({ target: { owner }, query, signal }) => {
    const path = pathOf(query, 'path', '')
    const file = fileOf(query)
    const narrowed = file && { file: within(await owner.git.rootOf(path), file) }
    const { ref, page, per_page: perPage } = query
    const { items, total } = await owner.git.log(path, { page, perPage, ...(ref !== undefined && { ref }), ...narrowed }, signal)
    return { items: items.map(showCommit), total }
  },
})

export const showOne = endpoint({
  method: 'GET',
  path: '/vcs/show',
  summary: 'Read one commit and what it changes',
  description: 'A merge is compared with its first parent.',
  effect: 'reads',
  query: model.ShowQuery,
  reply: data(model.Shown),
  throws: reading,
  timeoutMs: limitMs,
  target: byQuery,
  run: async ({ target: { owner }, query, signal }) => {
    const path = pathOf(query, 'path', '')
    const root = await owner.git.rootOf(path)
    const file = fileOf(query)
    const found = await owner.git.show(path, query.commit, file && within(root, file), signal)
    return { ...showCommit(found), ...showDifference(root, found) }
  },
})
