import { proveStep } from '../../../test/support/step-suite.ts'
import { cancelStep } from './cancel.ts'

proveStep<Set<number>>('jobs.cancel', {
  machine: () => new Set<number>(),
  open: (cancelled, door) =>
    cancelStep(
      door({
        cancel: async (id: number) => void cancelled.add(id),
        isCancelled: async (id: number) => cancelled.has(id),
      }),
    ),
  look: (cancelled) => [...cancelled],
  withoutHandEdit: 'final',
  cases: { 'a job': { args: { id: 7 }, wanted: [7] } },
})
