import { proveStep } from '../../../../test/support/step-suite.ts'
import { mailboxQueries } from '../store.ts'
import { backedUpMachine, partsOn, type StepMachine } from '../testing/step-machine.ts'
import { verifyStep } from './step.ts'

proveStep<StepMachine>('mailbox-backup.verify', {
  machine: backedUpMachine,
  open: (machine, door) => verifyStep(partsOn({ ...machine, files: door(machine.files) })),
  look: async ({ store }) => {
    const rows = await mailboxQueries(store).verifications()
    return rows.map(({ email, state, contents, compared }) => ({ email, state, contents, compared }))
  },
  cases: {
    'a mailbox': {
      args: { jobId: 2, users: ['adele@example.com'], sample: 1 },
      wanted: [{ email: 'adele@example.com', state: 'ok', contents: 2, compared: 1 }],
      returns: { mailboxes: 1, with_findings: 0, failed: 0 },
    },
  },
  withoutHandEdit: 'the step is final',
})
