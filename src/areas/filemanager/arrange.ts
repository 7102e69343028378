import type { Static } from 'typebox'
import { type Change, change, step } from '../../core/change.ts'
import { BadRequest } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import type { Filemanager } from './context.ts'
import type * as model from './model.ts'
import type { Files } from './named-files.ts'
import { belowHome, nameOf, pathOf, siblingOf } from './paths.ts'

type Done = Change<typeof success>

interface Placing {
  readonly body: Static<typeof model.PlaceBody>
  /** The panel user to record in the history. */
  readonly by: number
}

/** Moves a file or folder. */
export function moveFile({ steps }: Filemanager, { username }: Files, { body, by }: Placing): Done {
  const [from, to] = [belowHome(pathOf(body, 'src_path')), pathOf(body, 'dst_path')]
  return change({
    summary: `Move ${from.path} of ${username} to ${to.path || 'the home'}`,
    steps: [step(steps.move, { username, from, to, overwrite: body.overwrite, into: true, by })],
    reply: success,
  })
}

/** Gives a file or folder another name in its folder. */
export function renameFile(
  { steps }: Filemanager,
  { username }: Files,
  { body, by }: { readonly body: Static<typeof model.RenameBody>; readonly by: number },
): Done {
  const from = belowHome(pathOf(body, 'path'))
  const name = nameOf(body, 'new_name')
  const to = siblingOf(from, name)
  return change({
    summary: `Rename ${from.path} of ${username} to ${name.path}`,
    steps: [step(steps.move, { username, from, to, overwrite: body.overwrite, into: false, by })],
    reply: success,
  })
}

/** Copies a file or folder. */
export function copyFile({ steps }: Filemanager, { username }: Files, { body, by }: Placing): Done {
  const [from, to] = [belowHome(pathOf(body, 'src_path')), pathOf(body, 'dst_path')]
  return change({
    summary: `Copy ${from.path} of ${username} to ${to.path || 'the home'}`,
    steps: [step(steps.copy, { username, from, to, overwrite: body.overwrite, into: true, by })],
    reply: success,
  })
}

/** Names the scope of a recursive change in its plan. */
const reach = {
  all: 'everything in it',
  files: 'the files in it alone',
  folders: 'the folders in it',
} as const

/** Changes the mode of a file or folder, and of its content if `recursive`. */
export function changeMode(
  { steps }: Filemanager,
  { username }: Files,
  body: Static<typeof model.ChmodBody>,
): Done {
  const path = pathOf(body, 'path')
  const { mode, recursive, only } = body
  if (only !== undefined && !recursive) throw BadRequest('only: requires recursive')
  const args = { username, path, mode: Number.parseInt(mode, 8), recursive, ...(only && { only }) }
  return change({
    summary: `Give ${path.path} of ${username} the mode ${mode}${recursive ? `, with ${reach[only ?? 'all']}` : ''}`,
    steps: [step(steps.chmod, args)],
    reply: success,
  })
}

/** Adds up the size of a folder or of the trash. */
export async function dirsize(
  { owner }: Files,
  query: Static<typeof model.DirsizeQuery>,
  signal: AbortSignal,
): Promise<Static<typeof model.Dirsize>> {
  if (query.trash && (query.path ?? query.path_b64) !== undefined)
    throw BadRequest('trash: must not be combined with a path')
  const { bytes } = query.trash
    ? await owner.trash.size({ signal })
    : await owner.dirsize(pathOf(query, 'path', ''), { signal })
  return { size_bytes: bytes }
}

/** Makes a file or folder immutable, or changeable again. */
export function setLock(
  { steps }: Filemanager,
  { username }: Files,
  { body, isLocked }: { readonly body: Static<typeof model.LockBody>; readonly isLocked: boolean },
): Done {
  const path = belowHome(pathOf(body, 'path'))
  return change({
    summary: `${isLocked ? 'Lock' : 'Unlock'} ${path.path} of ${username}`,
    steps: [step(steps.lock, { username, path, isLocked, recursive: body.recursive })],
    reply: success,
  })
}
