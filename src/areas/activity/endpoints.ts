import { local } from '../../core/endpoint.ts'
import { signedIn } from '../../core/guard.ts'
import Type from 'typebox'
import { awaited, bytes, data } from '../../core/reply.ts'
import { NotUndoable } from '../../changes/undo-by-id/index.ts'
import * as chain from './chain.ts'
import { endpoint } from './context.ts'
import * as entries from './entries.ts'
import {
  Action,
  Chain,
  EntryDetails,
  EntryFilter,
  EntryPage,
  EntryPath,
  EntryQuery,
  Verification,
} from './model.ts'
import { undoing } from './undo.ts'

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

export const listActions = endpoint({
  method: 'GET',
  path: '/actions',
  summary: 'List the actions that entries can have',
  effect: 'reads',
  guard: signedIn,
  reply: data(Type.Array(Action, { maxItems: 10_000 })),
  run: ({ activity }) => entries.listActions(activity),
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
  run: ({ activity, now, signal }) => chain.verifyChain(activity, now, signal),
})

export const showChain = endpoint({
  method: 'GET',
  path: '/chain',
  summary: 'Read the public key, a checkpoint of the newest entry, and the last check of the chain',
  description:
    'Keep the checkpoint on another machine: `hostreeve verify FILE --checkpoint FILE` compares a later export with it.',
  effect: 'reads',
  reply: data(Chain),
  run: ({ activity, now }) => chain.showChain(activity, now),
})

export const exportChain = endpoint({
  method: 'GET',
  path: '/chain/export',
  summary: 'Export all entries with signed checkpoints, oldest first',
  description: 'JSON lines that `hostreeve verify FILE` checks without the panel and its store.',
  effect: 'reads',
  reply: bytes('application/x-ndjson'),
  run: ({ activity, ...request }) => ({
    stream: chain.exportWithProof(activity, request),
    mediaType: 'application/x-ndjson',
    fileName: 'activity-chain.jsonl',
  }),
})

export const readEntry = endpoint({
  method: 'GET',
  path: '/{id}',
  summary: 'Read an entry, with what its change did',
  description: 'Superusers read all entries; others read their own.',
  effect: 'reads',
  guard: signedIn,
  params: EntryPath,
  target: ({ activity, params, caller }) => entries.loadEntry(activity, params.id, caller),
  reply: data(EntryDetails),
  run: ({ activity, target }) => entries.showDetails(activity, target),
})

export const undoChange = endpoint({
  method: 'POST',
  path: '/{id}/undo',
  summary: 'Undo what an entry did, unless it has been changed since',
  description:
    'Callers undo their own changes while they may still do what the entry did; superusers undo all. An undo is a change with an entry of its own, and can be undone itself.',
  effect: 'changes',
  changesAccess: true,
  guard: signedIn,
  params: EntryPath,
  category: local('the undone change is forwarded by its own category'),
  throws: { not_undoable: NotUndoable },
  reply: awaited(undoing, { status: 200, shape: 'data' }),
  run: ({ params }) => ({ entry_id: params.id }),
})
