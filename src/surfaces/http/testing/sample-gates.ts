import Type from 'typebox'
import { change } from '../../../core/change.ts'
import { open, openUnlessWrong, superuser } from '../../../core/guard.ts'
import { data, succeeded, success } from '../../../core/reply.ts'
import { Text } from '../../../core/schemas.ts'
import { endpoint } from './sample-context.ts'

/** Endpoints with their own guards, and one with a low rate limit. */
export const gateEndpoints = {
  readAsSuperuser: endpoint({
    method: 'GET',
    path: '/super',
    summary: 'SU',
    effect: 'reads',
    guard: superuser,
    query: Type.Object({ n: Type.Integer({ minimum: 1, maximum: 5 }) }),
    reply: succeeded,
    run: () => success,
  }),
  readOpenly: endpoint({
    method: 'GET',
    path: '/open',
    summary: 'Open',
    effect: 'reads',
    guard: open('a test'),
    reply: succeeded,
    run: (request) => (request.caller.user.id > 0 ? success : success),
  }),
  readUnlessWrong: endpoint({
    method: 'GET',
    path: '/wrong',
    summary: 'Open unless wrong',
    effect: 'reads',
    guard: openUnlessWrong('a test'),
    reply: data(Type.Object({ known: Type.Boolean() })),
    run: ({ callerIfAny }) => ({ known: callerIfAny !== undefined }),
  }),
  knock: endpoint({
    method: 'POST',
    path: '/knock',
    summary: 'Open, with a body',
    effect: 'changes',
    guard: open('a test'),
    body: Type.Object({ who: Text(20_000) }),
    reply: succeeded,
    run: () => change({ summary: 'Knock', reply: success }),
  }),
  sendLimited: endpoint({
    method: 'POST',
    path: '/limited',
    summary: 'Limited',
    effect: 'changes',
    body: Type.Object({ who: Text(20) }),
    rateLimit: { perMinute: 3, keys: ({ body }) => [body.who] },
    reply: succeeded,
    run: () => change({ summary: 'Limited', reply: success }),
  }),
}
