import { change, step, type StepKind } from '../../../core/change.ts'
import { succeeded, success } from '../../../core/reply.ts'
import { endpoint } from './sample-context.ts'

const hang: StepKind<null, null, void> = {
  name: 'boxes.hang',
  plan: () => ({ title: 'Hang until the signal ends' }),
  observe: async () => null,
  act: (_args, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  undo: async () => {},
  check: async () => 'before',
}

/** Endpoints that never end by themselves. */
export const slow = {
  readSlowly: endpoint({
    method: 'GET',
    path: '/slow',
    summary: 'Slow',
    effect: 'reads',
    timeoutMs: 30,
    reply: succeeded,
    run: ({ signal, boxes }) => (boxes.signals.push(signal), new Promise<never>(() => {})),
  }),
  changeSlowly: endpoint({
    method: 'POST',
    path: '/slow',
    summary: 'Slow change',
    effect: 'changes',
    timeoutMs: 30,
    reply: succeeded,
    run: () => change({ summary: 'Hang', steps: [step(hang, null)], reply: success }),
  }),
  hangForever: endpoint({
    method: 'POST',
    path: '/hang',
    summary: 'Hang',
    effect: 'changes',
    reply: succeeded,
    run: ({ signal, boxes }) => (
      boxes.signals.push(signal),
      change({ summary: 'Hang', steps: [step(hang, null)], reply: success })
    ),
  }),
}
