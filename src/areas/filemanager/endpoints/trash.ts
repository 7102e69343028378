import { list, succeeded } from '../../../core/reply.ts'
import { listed } from '../failures.ts'
import { EmptyBody, RestoreBody, TrashItem, TrashQuery } from '../model.ts'
import * as trash from '../trash.ts'
import { changingFiles, hourMs, readingFiles } from './target.ts'

export const listTrash = readingFiles({
  method: 'GET',
  path: '/trash',
  summary: 'List what was thrown away, the last first',
  effect: 'reads',
  query: TrashQuery,
  reply: list(TrashItem, { sort: ['-deleted_at'], search: [] }),
  run: ({ target: { owner }, query: { page, per_page: perPage } }) => owner.trash.list({ page, perPage }),
})

export const restoreTrash = changingFiles({
  method: 'POST',
  path: '/trash/restore',
  summary: 'Put things of the trash back where they stood',
  description: 'In order, up to the first that fails. What stands in the place meanwhile is not replaced.',
  effect: 'changes',
  body: RestoreBody,
  reply: succeeded,
  throws: listed,
  timeoutMs: hourMs,
  run: ({ target, body, filemanager }) => trash.restoreTrash(filemanager, target, body),
})

export const emptyTrash = changingFiles({
  method: 'POST',
  path: '/trash/empty',
  summary: 'Remove things of the trash for good, all of it where none is named',
  effect: 'destroys',
  body: EmptyBody,
  reply: succeeded,
  throws: listed,
  timeoutMs: hourMs,
  run: ({ target, body, filemanager }) => trash.emptyTrash(filemanager, target, body),
})
