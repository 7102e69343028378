import Type, { type Static } from 'typebox'
import { OneOf, Text, Time } from '../../core/schemas.ts'

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])
const Version = (description: string) => Text(50, { description })

export const UpdateResult = Type.Object({
  from: Version('The version before'),
  to: Version('The version that was installed'),
  state: OneOf(['updated', 'rolled_back'], { description: 'Whether the new version still runs' }),
  message: Text(1000, { description: 'What happened, in a sentence' }),
  at: Time,
})
export type UpdateResult = Static<typeof UpdateResult>

export const SelfUpdate = Type.Object({
  version: Version('Version that runs'),
  available: orNull(
    Type.Object({
      version: Version('Newest version for this host'),
      notes: Text(20_000, { description: 'What it changes; signed like the release' }),
    }),
  ),
  reason: orNull(Text(1000, { description: 'Why no update can be installed now' })),
  previous: orNull(Version('Version to which `hostreeve rollback` returns')),
  last: orNull(UpdateResult),
})
export type SelfUpdate = Static<typeof SelfUpdate>

export const UpdateStarted = Type.Object({
  success: Type.Literal(true),
  message: Text(200, { description: 'Which version is being installed' }),
})
export type UpdateStarted = Static<typeof UpdateStarted>
