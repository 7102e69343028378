import { proveStep } from '../../../test/support/step-suite.ts'
import { retryStep } from './retry-step.ts'

proveStep<Set<string>>('replication-servers.retry', {
  machine: () => new Set<string>(),
  open: (sent, door) =>
    retryStep(
      door({
        send: async ({ token }: { readonly token: string }) => {
          sent.add(token)
          return { success: true, response_code: 200 }
        },
        wasSent: async ({ token }: { readonly token: string }) => sent.has(token),
      }),
    ),
  look: (sent) => [...sent],
  withoutHandEdit: 'final',
  cases: {
    'a request': {
      args: { actionId: 1, token: 't1', title: 'Send POST /api/users to second again' },
      wanted: ['t1'],
    },
  },
})
