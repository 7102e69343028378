import { signedIn } from '../../core/guard.ts'
import { bytes, data } from '../../core/reply.ts'
import * as chain from '../../changes/activity.ts'
import { endpoint } from './context.ts'
import * as entries from './entries.ts'
import { EntryFilter, EntryPage, EntryQuery, Verification } from './model.ts'

export const listActivity = endpoint({
  method: 'GET',
  path: '',
  summary: 'List what was done, newest first',
  effect: 'reads',
  query: EntryQuery,
  reply: data(EntryPage),
  run: ({ activity, query, ...request }) => entries.readEntries(activity, query, request),
})

export const listOwnActivity = endpoint({
  method: 'GET',
  path: '/mine',
  summary: 'List what you did, newest first',
  effect: 'reads',
  guard: signedIn,
  query: EntryQuery,
  reply: data(EntryPage),
  run: ({ activity, query, caller, signal }) =>
    entries.readEntries(activity, { ...query, user_id: caller.user.id }, { caller, signal }),
})

export const exportActivity = endpoint({
  method: 'GET',
  path: '/export',
  summary: 'Export what was done as JSON lines',
  effect: 'reads',
  query: EntryFilter,
  reply: bytes('application/x-ndjson'),
  run: ({ activity, query, ...request }) => ({
    stream: entries.exportEntries(activity, query, request),
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
  run: ({ activity, signal }) => chain.verifyActivity(activity.store, signal),
})
