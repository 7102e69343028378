import Type from 'typebox'
import { change } from '../../../core/change.ts'
import { data, enqueued, flat } from '../../../core/reply.ts'
import { Optional, Text } from '../../../core/schemas.ts'
import { endpoint } from './sample-context.ts'

/** Endpoints with unusual shapes of replies and bodies. */
export const shapes = {
  readFlat: endpoint({
    method: 'GET',
    path: '/flat',
    summary: 'Flat',
    effect: 'reads',
    reply: flat(Type.Object({ version: Text(10) })),
    run: () => ({ version: '1' }),
  }),
  startJob: endpoint({
    method: 'POST',
    path: '/job',
    summary: 'Start',
    effect: 'changes',
    reply: enqueued,
    run: () =>
      change({
        summary: 'Start',
        jobs: [{ kind: 'boxes.work', input: {}, ownerId: null, title: 'Work' }],
        reply: ({ jobIds }) => ({ job_id: jobIds[0] as number }),
      }),
  }),
  sendLenient: endpoint({
    method: 'POST',
    path: '/lenient',
    summary: 'Lenient',
    effect: 'changes',
    isLenient: true,
    body: Type.Object({ note: Optional(Text(10)) }),
    reply: data(Type.Object({ note: Text(10) })),
    run: ({ body }) => change({ summary: 'Lenient', reply: { note: body.note ?? 'none' } }),
  }),
}
