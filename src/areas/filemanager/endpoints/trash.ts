import { change, step } from '../../../core/change.ts'
import { list, succeeded, success } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { listed } from '../failures.ts'
import { EmptyBody, RestoreBody, TrashItem, TrashQuery } from '../model.ts'
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
  run: ({ target: { username }, body: { ids }, filemanager }) =>
    change({
      summary: `Put ${ids.length} of the trash of ${username} back`,
      steps: [step(filemanager.steps.restore, { username, ids })],
      reply: success,
    }),
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
  run: ({ target: { username }, body: { ids }, filemanager }) =>
    change({
      summary: `${ids ? `Remove ${ids.length} things of` : 'Empty'} the trash of ${username}`,
      steps: [step(filemanager.steps.empty, { username, ...(ids && { ids }) })],
      reply: success,
    }),
})
