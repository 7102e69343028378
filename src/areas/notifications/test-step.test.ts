import { proveStep } from '../../../test/support/step-suite.ts'
import { testStep } from './test-step.ts'

proveStep<Set<number>>('notifications.test', {
  machine: () => new Set<number>(),
  open: (sent, door) =>
    testStep(
      door({
        sendTest: async (id: number) => void sent.add(id),
        wasSent: async (id: number) => sent.has(id),
      }),
    ),
  look: (sent) => [...sent],
  withoutHandEdit: 'final',
  cases: { 'a channel': { args: { channelId: 7, target: 'ada@example.com' }, wanted: [7] } },
})
