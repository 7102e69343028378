import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepRun } from '../../../../test/support/step-run.ts'
import { proveStep } from '../../../../test/support/step-suite.ts'
import { mimeOf } from '../../../tools/graph/testing/mailboxes.ts'
import { runStep } from '../run/step.ts'
import { backedUpMachine, partsOn, type StepMachine } from '../testing/step-machine.ts'
import { restoreStep } from './step.ts'

const args = {
  ...{ email: 'adele@example.com', messageIds: null, folder: 'Inbox', status: null },
  ...{ to: 'adele@example.com', into: 'Restored' },
}

/** What the mailbox has, by folder. */
const look = ({ graph }: StepMachine) =>
  graph.mail.users
    .flatMap(({ folders }) => folders)
    .flatMap(({ displayName, isTop, messages }) =>
      [...messages.values()].map(({ subject }) => `${isTop ? '' : '…/'}${displayName}: ${subject}`),
    )

proveStep<StepMachine>('mailbox-backup.restore', {
  machine: backedUpMachine,
  open: (machine, door) => restoreStep(partsOn({ ...machine, files: door(machine.files) })),
  look,
  cases: {
    'a folder': { args, wanted: ['Inbox: one', 'Inbox: two', '…/Inbox: one', '…/Inbox: two'] },
  },
  withoutHandEdit: 'the step is final',
})

test('a restore that was interrupted goes on, and puts no message there twice', async (t) => {
  const machine = await backedUpMachine(t)
  const stop = new AbortController()
  const progress = (percent: number | null) => {
    if (percent === 50) stop.abort()
  }
  const interrupted = stepRun(null, undefined, { signal: stop.signal, progress })
  await assert.rejects(restoreStep(partsOn(machine)).act(args, interrupted))
  assert.equal(look(machine).length, 3)
  const counts = await restoreStep(partsOn(machine)).act(args, stepRun(null))
  assert.deepEqual(counts, { restored: 1, already_there: 1, failed: 0 })
  assert.equal(look(machine).length, 4)
})

test('copies of a message are all restored', async (t) => {
  const machine = await backedUpMachine(t)
  const { mail } = machine.graph
  const [inbox] = mail.users[0]!.folders
  const [message] = [...inbox!.messages.values()]
  mail.importMessage(inbox!, mimeOf(message!))
  const parts = partsOn(machine)
  await runStep(parts).act({ jobId: 2, users: null }, stepRun(null))
  const restore = () => restoreStep(parts).act(args, stepRun(null))
  assert.deepEqual(await restore(), { restored: 3, already_there: 0, failed: 0 })
  assert.deepEqual(await restore(), { restored: 0, already_there: 3, failed: 0 })
})
