import Type from 'typebox'
import { problem } from '../../../core/problem.ts'
import { change, step, type StepKind } from '../../../core/change.ts'
import { accepted, awaited, followed } from '../../../core/reply.ts'
import { from } from '../../../core/returned.ts'
import { Text } from '../../../core/schemas.ts'
import { type Context, endpoint, work } from './sample-context.ts'

const Taken = problem('taken', 409, 'The label is taken')

const pack: StepKind<{ label: string }, null, { weight: number }, Context['boxes']> = {
  name: 'boxes.pack',
  plan: ({ label }) => ({ title: `Pack ${label}` }),
  observe: async () => null,
  act: async (_args, { live, signal, progress }) => {
    progress(50, 'Half packed')
    const { promise, reject } = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => reject(signal.reason))
    await Promise.race([live.go.promise, promise])
    return { weight: 3 }
  },
  undo: async () => {},
  check: async () => 'before',
}

/** Packs a box once the test releases it. */
export const packing = work({
  kind: 'boxes.pack',
  input: Type.Object({ label: Text(50) }),
  reply: Type.Object({ weight: Type.Integer() }),
  timeoutMs: 10_000,
  attempts: 1,
  resumes: false,
  decide: ({ input: { label }, boxes, jobId }) => {
    if (label === 'taken' || (label === 'soon taken' && jobId !== undefined)) throw Taken()
    const packed = step(pack, { label }, boxes)
    return change({ summary: `Pack ${label}`, steps: [packed], reply: { weight: from(packed, 'weight') } })
  },
})

const packs = {
  method: 'POST',
  effect: 'changes',
  body: Type.Object({ label: Text(50) }),
  throws: { taken: Taken },
} as const

/** Endpoints that show the same work as a job, as a plain reply, and as a stream. */
export const workEndpoints = {
  startPacking: endpoint({
    ...packs,
    path: '/packed/job',
    summary: 'Start',
    reply: accepted(packing),
    run: ({ body }) => body,
  }),
  packAndWait: endpoint({
    ...packs,
    path: '/packed',
    summary: 'Pack',
    reply: awaited(packing, { status: 201, shape: 'flat' }),
    run: ({ body }) => body,
  }),
  packAndTell: endpoint({
    ...packs,
    path: '/packed/events',
    summary: 'Pack and tell',
    reply: followed(packing, Type.Object({ say: Text(100) }), (event) => {
      if (event.type === 'progress') return { say: event.message }
      if (event.type === 'done') return { say: `weighs ${event.reply.weight}` }
      return event.type === 'failed' ? { say: event.message } : undefined
    }),
    run: ({ body }) => body,
  }),
}
