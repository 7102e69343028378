import { proveStep } from '../../../../test/support/step-suite.ts'
import { pushStep } from './push-step.ts'

proveStep<Set<string>>('authdns.push-zones', {
  machine: () => new Set<string>(),
  open: (pushed, door) =>
    pushStep(
      door({
        push: async ({ zones }: { readonly zones: readonly string[] }) => {
          for (const zone of zones) pushed.add(zone)
          return { success: true, pushed: zones.length, failed: 0, message: null }
        },
        wasPushed: async ({ zones }: { readonly zones: readonly string[] }) =>
          zones.every((zone) => pushed.has(zone)),
      }),
    ),
  look: (pushed) => [...pushed],
  withoutHandEdit: 'final',
  cases: {
    'two zones': {
      args: { serverId: 1, server: 'second', zones: ['one.example', 'two.example'], changeId: 1 },
      wanted: ['one.example', 'two.example'],
    },
  },
})
