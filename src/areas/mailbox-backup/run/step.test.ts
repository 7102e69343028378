import { proveStep } from '../../../../test/support/step-suite.ts'
import { mailboxQueries } from '../store.ts'
import { partsOn, type StepMachine, stepMachine } from '../testing/step-machine.ts'
import { runStep } from './step.ts'

proveStep<StepMachine>('mailbox-backup.run', {
  machine: stepMachine,
  open: (machine, door) => runStep(partsOn({ ...machine, files: door(machine.files) })),
  look: async ({ store }) => {
    const rows = await mailboxQueries(store).mailboxes()
    return rows.map(({ email, state, messages }) => ({ email, state, messages }))
  },
  cases: {
    'all mailboxes': {
      args: { jobId: 1, users: null },
      wanted: [{ email: 'adele@example.com', state: 'ok', messages: 2 }],
      returns: { mailboxes: 1, failed: 0 },
    },
  },
  withoutHandEdit: 'the step is final',
})
