import { failures } from '../../../core/endpoint.ts'
import { change, step } from '../../../core/change.ts'
import { BadRequest } from '../../../core/problem.ts'
import { data, succeeded, success } from '../../../core/reply.ts'
import { ownerProblems } from '../../../host/owner/index.ts'
import { endpoint } from '../context.ts'
import { listed, own } from '../failures.ts'
import { ChmodBody, Dirsize, DirsizeQuery, LockBody, PlaceBody, RenameBody } from '../model.ts'
import { belowHome, nameOf, pathOf, siblingOf } from '../paths.ts'
import { byBody, byQuery, homeFiles, hourMs } from './target.ts'

export const moveFile = endpoint({
  method: 'POST',
  path: '/move',
  summary: 'Move a file or folder',
  effect: 'changes',
  category: homeFiles,
  body: PlaceBody,
  reply: succeeded,
  throws: listed,
  timeoutMs: hourMs,
  target: byBody,
  run: ({ target: { username }, body, caller, filemanager }) => {
    const [from, to] = [belowHome(pathOf(body, 'src_path')), pathOf(body, 'dst_path')]
    return change({
      summary: `Move ${from.path} of ${username} to ${to.path || 'the home'}`,
      steps: [
        step(filemanager.steps.move, {
          username,
          from,
          to,
          overwrite: body.overwrite,
          into: true,
          by: caller.user.id,
        }),
      ],
      reply: success,
    })
  },
})

export const renameFile = endpoint({
  method: 'POST',
  path: '/rename',
  summary: 'Give a file or folder another name',
  effect: 'changes',
  category: homeFiles,
  body: RenameBody,
  reply: succeeded,
  throws: listed,
  timeoutMs: hourMs,
  target: byBody,
  run: ({ target: { username }, body, caller, filemanager }) => {
    const from = belowHome(pathOf(body, 'path'))
    const name = nameOf(body, 'new_name')
    return change({
      summary: `Rename ${from.path} of ${username} to ${name.path}`,
      steps: [
        step(filemanager.steps.move, {
          username,
          from,
          to: siblingOf(from, name),
          overwrite: body.overwrite,
          into: false,
          by: caller.user.id,
        }),
      ],
      reply: success,
    })
  },
})

export const copyFile = endpoint({
  method: 'POST',
  path: '/copy',
  summary: 'Copy a file or folder, with modes and times',
  description:
    'The copy appears when it is whole. Links are copied as links; setuid and setgid do not travel.',
  effect: 'changes',
  category: homeFiles,
  body: PlaceBody,
  reply: succeeded,
  throws: own('copy_failed'),
  timeoutMs: hourMs,
  target: byBody,
  run: ({ target: { username }, body, caller, filemanager }) => {
    const [from, to] = [belowHome(pathOf(body, 'src_path')), pathOf(body, 'dst_path')]
    return change({
      summary: `Copy ${from.path} of ${username} to ${to.path || 'the home'}`,
      steps: [
        step(filemanager.steps.copy, {
          username,
          from,
          to,
          overwrite: body.overwrite,
          into: true,
          by: caller.user.id,
        }),
      ],
      reply: success,
    })
  },
})

/** Names the scope of a recursive change in its plan. */
const reach = {
  all: 'everything in it',
  files: 'the files in it alone',
  folders: 'the folders in it',
} as const

export const changeMode = endpoint({
  method: 'POST',
  path: '/chmod',
  summary: 'Change the mode of a file or folder',
  description: 'Links are never followed.',
  effect: 'changes',
  category: homeFiles,
  body: ChmodBody,
  reply: succeeded,
  throws: own('chmod_failed'),
  timeoutMs: hourMs,
  target: byBody,
  run: ({ target: { username }, body, filemanager }) => {
    const path = pathOf(body, 'path')
    const { mode, recursive, only } = body
    if (only !== undefined && !recursive) throw BadRequest('only: requires recursive')
    return change({
      summary: `Give ${path.path} of ${username} the mode ${mode}${recursive ? `, with ${reach[only ?? 'all']}` : ''}`,
      steps: [
        step(filemanager.steps.chmod, {
          username,
          path,
          mode: Number.parseInt(mode, 8),
          recursive,
          ...(only && { only }),
        }),
      ],
      reply: success,
    })
  },
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
  run: async ({ target: { owner }, query, signal }) => {
    if (query.trash && (query.path ?? query.path_b64) !== undefined)
      throw BadRequest('trash: must not be combined with a path')
    const { bytes } = query.trash
      ? await owner.trash.size({ signal })
      : await owner.dirsize(pathOf(query, 'path', ''), { signal })
    return { size_bytes: bytes }
  },
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
    run: ({ target: { username }, body, filemanager }) => {
      const path = belowHome(pathOf(body, 'path'))
      return change({
        summary: `${isLocked ? 'Lock' : 'Unlock'} ${path.path} of ${username}`,
        steps: [step(filemanager.steps.lock, { username, path, isLocked, recursive: body.recursive })],
        reply: success,
      })
    },
  })
}
