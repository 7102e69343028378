import Type, { type Static } from 'typebox'
import { Email, OneOf, Optional, Prose, Text, Time } from '../../../core/schemas.ts'

export const verificationStates = ['ok', 'incomplete', 'differs', 'damaged', 'failed'] as const

export const VerifyDraft = Type.Object({
  users: Optional(
    Type.Array(Email, {
      minItems: 1,
      maxItems: 1500,
      description: 'Addresses of mailboxes with a backup; all of them if it is left out',
      expects: 'a list of 1 to 1500 e-mail addresses',
    }),
  ),
  sample: Type.Integer({
    minimum: 0,
    maximum: 1000,
    default: 20,
    description: 'How many messages of each mailbox are read from the server to compare their bytes',
    expects: 'a number from 0 to 1000',
  }),
})

const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const MailboxVerification = Type.Object({
  email: Text(254),
  state: OneOf(verificationStates, {
    description:
      'damaged: contents are missing or are not what was stored; differs: the server has other bytes; incomplete: the server has messages that the backup does not have; failed: it could not be verified',
  }),
  message: Prose(1000, { description: 'The worst finding; empty without one' }),
  verified_at: Time,
  messages: Count('Messages in the backup'),
  server_messages: Type.Union([Count('Messages'), Type.Null()], {
    description: 'Messages on the server; null for a mailbox that the directory no longer has',
  }),
  missing_messages: Count('Messages on the server that the backup does not have'),
  gone_messages: Count('Messages that the server no longer has since the last run'),
  contents: Count('Contents of messages and attachments, each once'),
  missing_contents: Count('Contents that are not where they are stored'),
  damaged_contents: Count('Contents with another hash'),
  unused_objects: Count('Objects on S3 that nothing refers to'),
  compared: Count('Messages whose bytes were read from the server'),
  differing: Count('Those with other bytes than the backup has'),
})
export type MailboxVerification = Static<typeof MailboxVerification>

export const MailboxVerifications = Type.Object({
  running: Type.Boolean(),
  job_id: Type.Union([Type.Integer(), Type.Null()], { description: 'The job that runs or waits' }),
  mailboxes: Type.Array(MailboxVerification, { description: 'The last verification of each' }),
})
export type MailboxVerifications = Static<typeof MailboxVerifications>
