import Type, { type Static } from 'typebox'
import { Email, OneOf, Optional, Text } from '../../../core/schemas.ts'

const Folder = Type.String({
  minLength: 1,
  maxLength: 20_000,
  description: 'The exact name of a folder',
  expects: 'the name of a folder, as the list of messages has it',
})
const Status = OneOf(['present', 'deleted'], {
  description: 'Those that the mailbox has, or those that were deleted in it; both if it is left out',
})

export const ExportQuery = Type.Object({ folder: Folder, status: Optional(Status) })
export type ExportQuery = Static<typeof ExportQuery>

export const RestoreDraft = Type.Object({
  message_ids: Optional(
    Type.Array(Text(64), {
      minItems: 1,
      maxItems: 500,
      description: 'Ids of messages in the backup; leave it out to restore a folder',
      expects: 'a list of 1 to 500 ids of messages',
    }),
  ),
  folder: Optional(Folder),
  status: Optional(Status),
  to: Optional(
    Type.String({
      ...Email,
      description: 'Address of the mailbox that receives the messages; their own if it is left out',
    }),
  ),
  into: Text(100, {
    minLength: 1,
    default: 'Restored',
    description:
      'Name of a folder at the top of that mailbox, made if it does not exist: the messages are put into folders below it, named as those that they were in',
    expects: 'the name of a folder, of 1 to 100 characters on one line',
  }),
})
export type RestoreDraft = Static<typeof RestoreDraft>
