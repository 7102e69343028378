import { list, succeeded } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { listed } from '../failures.ts'
import { EmptyBody, RestoreBody, TrashItem, TrashQuery } from '../model.ts'
import * as trash from '../trash.ts'
import { byBody, byQuery, homeFiles, hourMs } from './target.ts'

export const listTrash = endpoint({
  method: 'GET',
  path: '/trash',
  summary: 'List what was thrown away, the last first',
  effect: 'reads',
  query: TrashQuery,
  reply: list(TrashItem, { sort: ['-deleted_at'], search: [] }),
  throws: listed,
  target: byQuery,
  run: ({ target: { owner }, query: { page, per_page: perPage } }) => owner.trash.list({ page, perPage }),
})

export const restoreTrash = endpoint({
  method: 'POST',
  path: '/trash/restore',
  summary: 'Put things of the trash back where they stood',
  description: 'In order, up to the first that fails. What stands in the place meanwhile is not replaced.',
  effect: 'changes',
  category: homeFiles,
  body: RestoreBody,
  reply: succeeded,
  throws: listed,
  timeoutMs: hourMs,
  target: byBody,
  run: ({ target, body, filemanager }) => trash.restoreTrash(filemanager, target, body),
})

export const emptyTrash = endpoint({
  method: 'POST',
  path: '/trash/empty',
  summary: 'Remove things of the trash for good, all of it where none is named',
  effect: 'destroys',
  category: homeFiles,
  body: EmptyBody,
  reply: succeeded,
  throws: listed,
  timeoutMs: hourMs,
  target: byBody,
  run: ({ target, body, filemanager }) => trash.emptyTrash(filemanager, target, body),
})
