import type { Static } from 'typebox'
import { BadRequest } from '../../../core/problem.ts'
import type { Page } from '../../../core/reply.ts'
import type { Files } from '../named-files.ts'
import type * as model from './model.ts'
import { askedIn } from './paths.ts'
import { showCommit, showDifference } from './shows.ts'

/** Compares the working tree, the index or two commits. */
export async function readDiff(
  { owner }: Files,
  query: Static<typeof model.DiffQuery>,
  signal: AbortSignal,
): Promise<Static<typeof model.Diff>> {
  if (query.staged && query.from !== undefined) throw BadRequest('staged: must not be combined with from')
  if (query.to !== undefined && query.from === undefined) throw BadRequest('to: must be sent with from')
  const { path, root, ...narrowed } = await askedIn(owner, query)
  const { from, to, staged, context } = query
  const sides = { ...(from !== undefined && { from }), ...(to !== undefined && { to }), staged, context }
  return showDifference(root, await owner.git.diff(path, { ...sides, ...narrowed }, signal))
}

/** Lists the commits of a repository, newest first. */
export async function readLog(
  { owner }: Files,
  query: Static<typeof model.LogQuery> & { readonly page: number; readonly per_page: number },
  signal: AbortSignal,
): Promise<Page<model.LogEntry>> {
  const { path, file } = await askedIn(owner, query)
  const { ref, page, per_page: perPage } = query
  const { items, total } = await owner.git.log(
    path,
    { page, perPage, ...(ref !== undefined && { ref }), ...(file !== undefined && { file }) },
    signal,
  )
  return { items: items.map(showCommit), total }
}

/** Returns one commit and its changes. */
export async function showOne({ owner }: Files, query: Static<typeof model.ShowQuery>, signal: AbortSignal) {
  const { path, root, file } = await askedIn(owner, query)
  const found = await owner.git.show(path, query.commit, file, signal)
  return { ...showCommit(found), ...showDifference(root, found) }
}
