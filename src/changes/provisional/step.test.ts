import { proveStep } from '../../../test/support/step-suite.ts'
import { endStep } from './step.ts'

proveStep<Set<number>>('changes.end-provisional', {
  machine: () => new Set<number>(),
  open: (ended, door) =>
    endStep(
      door({
        end: async (id: number) => void ended.add(id),
        isEnded: async (id: number) => ended.has(id),
      }),
    ),
  look: (ended) => [...ended],
  withoutHandEdit: 'final',
  cases: {
    'a change that is confirmed': { args: { id: 7, by: 'confirmed' }, wanted: [7] },
    'a change that is cancelled': {
      args: { id: 7, by: 'cancelled' },
      wanted: [7],
      callsAsIn: 'a change that is confirmed',
    },
  },
})
