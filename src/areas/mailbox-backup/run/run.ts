import Type from 'typebox'
import { change, step } from '../../../core/change.ts'
import { from } from '../../../core/returned.ts'
import { assertSet } from '../directory.ts'
import { work } from '../context.ts'
import { RunsAlready } from '../problems.ts'
import { assertFolder } from '../settings/folder.ts'
import { runKind } from '../settings/settings.ts'
import { runLock } from './lock.ts'

/** A run over the mailboxes; never two at once. */
export const runningBackup = work({
  kind: runKind,
  input: Type.Object({ users: Type.Optional(Type.Array(Type.String())) }),
  reply: Type.Object({
    mailboxes: Type.Integer(),
    failed: Type.Integer(),
    new_messages: Type.Integer(),
  }),
  timeoutMs: 24 * 3_600_000,
  attempts: 1,
  resumes: true,
  lane: 'network',
  single: RunsAlready,
  decide: async ({ mailboxBackup: on, input: { users }, jobId = 0 }) => {
    on.assertEnabled()
    const { idp, dataDir } = await on.settings.read()
    assertSet(idp)
    await assertFolder(on, dataDir)
    const lowered = users === undefined ? null : [...new Set(users.map((each) => each.toLowerCase()))]
    const run = step(on.run, { jobId, users: lowered })
    return change({
      summary: users === undefined ? 'Back up the mailboxes' : `Back up ${users.length} mailboxes`,
      locks: [runLock],
      steps: [run],
      reply: {
        mailboxes: from(run, 'mailboxes'),
        failed: from(run, 'failed'),
        new_messages: from(run, 'new_messages'),
      },
    })
  },
})
