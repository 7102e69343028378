import { proveStep } from '../../../../test/support/step-suite.ts'
import { pushStep } from './push-step.ts'

proveStep<Set<string>>('dnslb.push-lists', {
  machine: () => new Set<string>(),
  open: (pushed, door) =>
    pushStep(
      door({
        push: async ({ pushId }: { readonly pushId: string }) => {
          pushed.add(pushId)
          return { success: true, message: '' }
        },
        wasPushed: async ({ pushId }: { readonly pushId: string }) => pushed.has(pushId),
      }),
    ),
  look: (pushed) => [...pushed],
  withoutHandEdit: 'final',
  cases: {
    'two lists': {
      args: { peerId: 1, peer: 'second', pushId: 'p1', isAdmin: false, lists: ['ads', 'foes'] },
      wanted: ['p1'],
    },
  },
})
