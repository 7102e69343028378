import Type, { type Static } from 'typebox'
import { change, step } from '../../../core/change.ts'
import { lock } from '../../../core/lock.ts'
import { from } from '../../../core/returned.ts'
import { readArchive } from '../archive/reading.ts'
import { work } from '../context.ts'
import { assertSet } from '../directory.ts'
import type { MailboxBackup } from '../parts.ts'
import { FolderMissing, MessageMissing, RestoreInvalid } from '../problems.ts'
import type { RestoreDraft } from './model.ts'
import { selectionOf } from './step.ts'

const restoreLock = lock('mailbox-restore')
const Count = Type.Integer()
const RestoreOrder = Type.Object({
  email: Type.String(),
  messageIds: Type.Union([Type.Array(Type.String()), Type.Null()]),
  folder: Type.Union([Type.String(), Type.Null()]),
  status: Type.Union([Type.Literal('present'), Type.Literal('deleted'), Type.Null()]),
  to: Type.String(),
  into: Type.String(),
})
type RestoreOrder = Static<typeof RestoreOrder>

/** Messages of a backup are put into a mailbox; one restore into a mailbox at a time. */
export const restoringMessages = work({
  kind: 'mailbox-backup.restore',
  input: RestoreOrder,
  reply: Type.Object({ restored: Count, already_there: Count, failed: Count }),
  timeoutMs: 24 * 3_600_000,
  attempts: 1,
  resumes: true,
  lane: 'network',
  decide: async ({ mailboxBackup: on, input }) => {
    on.assertEnabled()
    assertSet((await on.settings.read()).idp)
    const count = await countMessages(on, input)
    const run = step(on.restore, input)
    return change({
      summary: `Restore messages of ${input.email} into ${input.to}`,
      locks: [restoreLock(input.to)],
      steps: [run],
      details: [`${count} messages`],
      reply: {
        restored: from(run, 'restored'),
        already_there: from(run, 'already_there'),
        failed: from(run, 'failed'),
      },
    })
  },
})

/** Returns what a request asks to restore; throws RestoreInvalid. */
export function orderedRestore(
  email: string,
  { message_ids: messageIds, folder, status, to = email, into }: RestoreDraft,
): RestoreOrder {
  if ((messageIds === undefined) === (folder === undefined))
    throw RestoreInvalid('message_ids: name the messages, or a folder, and not both')
  if (messageIds !== undefined && status !== undefined)
    throw RestoreInvalid('status: chooses messages of a folder; leave it out with message_ids')
  if (into.trim() !== into) throw RestoreInvalid('into: must not begin or end with a space')
  return {
    email: email.toLowerCase(),
    messageIds: messageIds === undefined ? null : [...new Set(messageIds)],
    folder: folder ?? null,
    status: status ?? null,
    to: to.toLowerCase(),
    into,
  }
}

/** Returns how many messages are restored; throws where one of them, or the folder, is not in the backup. */
const countMessages = (on: MailboxBackup, order: RestoreOrder): Promise<number> =>
  readArchive(on, order.email, ({ archive }) => {
    const { messageIds, folder } = order
    if (messageIds === null) {
      const { length } = archive.messageIds(selectionOf(order))
      if (length === 0) throw FolderMissing(`folder: the backup has no such messages in ${folder ?? ''}`)
      return length
    }
    const missing = messageIds.find((id) => archive.message(id) === undefined)
    if (missing !== undefined)
      throw MessageMissing(`message_ids: there is no message ${missing} in this mailbox`)
    return messageIds.length
  })
