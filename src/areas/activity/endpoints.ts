import { signedIn } from '../../core/guard.ts'
import { bytes, data } from '../../core/reply.ts'
import { endpoint } from './context.ts'
import { EntryFilter, EntryPage, EntryQuery, Verification } from './model.ts'

export const listActivity = endpoint({
  method: 'GET',
  path: '',
  summary: 'List what was done, newest first',
  effect: 'reads',
  query: EntryQuery,
  reply: data(EntryPage),
  run: ({ query: { cursor, limit, ...filter }, caller, activity, signal }) =>
    activity.page({ callerId: caller.user.id, filter, cursor, limit, signal }),
})

export const listOwnActivity = endpoint({
  method: 'GET',
  path: '/mine',
  summary: 'List what you did, newest first',
  effect: 'reads',
  guard: signedIn,
  query: EntryQuery,
  reply: data(EntryPage),
  run: ({ query: { cursor, limit, ...filter }, caller, activity, signal }) =>
    activity.page({
      callerId: caller.user.id,
      filter: { ...filter, user_id: caller.user.id },
      cursor,
      limit,
      signal,
    }),
})

export const exportActivity = endpoint({
  method: 'GET',
  path: '/export',
  summary: 'Export what was done as JSON lines',
  effect: 'reads',
  query: EntryFilter,
  reply: bytes('application/x-ndjson'),
  run: ({ query, caller, activity, signal }) => ({
    stream: activity.lines(caller.user.id, query, signal),
    mediaType: 'application/x-ndjson',
    fileName: 'activity.jsonl',
  }),
})

export const verifyActivity = endpoint({
  method: 'GET',
  path: '/verify',
  summary: 'Check that no entry was changed or removed',
  effect: 'reads',
  reply: data(Verification),
  timeoutMs: 600_000,
  run: ({ activity, signal }) => activity.verify(signal),
})
