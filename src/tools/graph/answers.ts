import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { GraphFailed } from './problems.ts'

const Id = Type.String({ minLength: 1, maxLength: 1000 })
const MaybeText = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const Person = Type.Object({
  emailAddress: Type.Optional(Type.Object({ name: MaybeText, address: MaybeText })),
})

const User = Type.Object({ id: Id, displayName: MaybeText, mail: MaybeText, userPrincipalName: MaybeText })
const Folder = Type.Object({
  id: Id,
  displayName: MaybeText,
  childFolderCount: Type.Optional(Type.Integer()),
  '@odata.type': Type.Optional(Type.String()),
})
const Message = Type.Object({
  id: Id,
  subject: MaybeText,
  bodyPreview: MaybeText,
  from: Type.Optional(Type.Union([Person, Type.Null()])),
  toRecipients: Type.Optional(Type.Array(Person)),
  receivedDateTime: MaybeText,
  lastModifiedDateTime: MaybeText,
  internetMessageId: MaybeText,
  hasAttachments: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  importance: MaybeText,
  isRead: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  isDraft: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  '@removed': Type.Optional(Type.Object({ reason: MaybeText })),
})
const Attachment = Type.Object({
  id: Id,
  name: MaybeText,
  contentType: MaybeText,
  size: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  '@odata.type': Type.Optional(Type.String()),
})

/**
 * A message as a delta tells it: with `@removed`, one that has left the folder. One that has changed may come with the
 * changed properties alone.
 */
export type GraphMessage = Static<typeof Message>
export type GraphFolder = Static<typeof Folder>
export type GraphUser = Static<typeof User>
export type GraphAttachment = Static<typeof Attachment>

const pageOf = <Item extends TSchema>(item: Item) =>
  parserOf(
    Type.Object({
      value: Type.Array(item),
      '@odata.nextLink': Type.Optional(Type.String({ maxLength: 20_000 })),
      '@odata.deltaLink': Type.Optional(Type.String({ maxLength: 20_000 })),
    }),
  )

function parserOf<Schema extends TSchema>(schema: Schema): (answer: unknown) => Static<Schema> {
  const compiled = Compile(schema)
  return (answer) => {
    if (compiled.Check(answer)) return answer
    const [first] = compiled.Errors(answer)
    throw GraphFailed(
      `Microsoft Graph sent an answer that is not understood: ${first?.instancePath || 'the whole'} ${first?.message ?? ''}`,
    )
  }
}

export const parseUsers = pageOf(User)
export const parseFolders = pageOf(Folder)
export const parseFolder = parserOf(Folder)
export const parseMessages = pageOf(Message)
export const parseMessage = parserOf(Message)
export const parseAttachments = pageOf(Attachment)

export const parseToken = parserOf(
  Type.Object({ access_token: Type.String({ minLength: 1 }), expires_in: Type.Number({ minimum: 0 }) }),
)

export const parseBatch = parserOf(
  Type.Object({
    responses: Type.Array(
      Type.Object({ id: Type.String(), status: Type.Integer(), body: Type.Optional(Type.Unknown()) }),
    ),
  }),
)

const errorShape = Compile(
  Type.Object({ error: Type.Object({ code: Type.String(), message: Type.Optional(Type.String()) }) }),
)
const loginErrorShape = Compile(
  Type.Object({ error: Type.String(), error_description: Type.Optional(Type.String()) }),
)

/** Returns the code and the message of a refusal, whatever its form. */
export function refusalIn(answer: unknown): { readonly code: string; readonly message: string } {
  if (errorShape.Check(answer)) {
    const { code, message = '' } = answer.error
    return { code, message: `${code}: ${message}`.slice(0, 500) }
  }
  if (loginErrorShape.Check(answer)) {
    const [told = ''] = (answer.error_description ?? answer.error).split('\n')
    return { code: answer.error, message: told.slice(0, 500) }
  }
  return { code: '', message: 'the answer has no reason' }
}

/** Parses JSON; undefined for a text that is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
