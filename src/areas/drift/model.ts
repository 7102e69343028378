import Type, { type Static } from 'typebox'
import { OneOf, Optional, Prose, Text, Time } from '../../core/schemas.ts'

export const driftKinds = ['file', 'service', 'account'] as const
export const driftStates = ['same', 'edited', 'missing', 'unexpected'] as const

const DriftKind = OneOf(driftKinds, { description: 'What it is' })
const DriftState = OneOf(driftStates, {
  description:
    'As the panel left it; changed by others; removed by others; or there although the panel removed it or never made it',
})
export type DriftState = Static<typeof DriftState>

/** The longest diff that a reply contains. */
export const mostDiff = 200_000

const DriftId = Type.String({
  maxLength: 40,
  pattern: '^(?:file|service|account)-[0-9a-f]{24}$',
  description: 'It names what differs and how: a further edit has another one',
  expects: 'the id of a difference as GET /api/drift lists it',
})

export const DriftPath = Type.Object({ id: DriftId })

export const DriftQuery = Type.Object({
  state: Optional(
    OneOf(driftStates, { description: 'Lists what is in this state; by default, all that differs' }),
  ),
})
export type DriftQuery = Static<typeof DriftQuery>

const Rights = (description: string) => Text(100, { description: `${description}: 0644 root:root` })

export const DriftItem = Type.Object({
  id: DriftId,
  kind: DriftKind,
  name: Text(4096, { description: 'The path of a file, or the name of a service or an account' }),
  program: Type.Union([Text(200), Type.Null()], { description: 'The program that loads a file' }),
  state: DriftState,
  diff: Prose(mostDiff, { description: 'From the wanted state to the present one, without secrets' }),
  rights: Type.Union(
    [
      Type.Object({
        wanted: Rights('Mode, owner and group as the panel left them'),
        present: Rights('Those of the file now'),
      }),
      Type.Null(),
    ],
    { description: 'Null unless the mode or the owner of a file is another' },
  ),
  adopt_refusal: Type.Union([Text(500), Type.Null()], {
    description: 'The reason why it cannot become the wanted state; null if it can',
  }),
  revert_refusal: Type.Union([Text(500), Type.Null()], {
    description: 'The reason why the panel cannot revert it; null if it can',
  }),
})
export type DriftItem = Static<typeof DriftItem>

const Count = Type.Integer({ minimum: 0 })

export const DriftReport = Type.Object({
  checked_at: Type.Union([Time, Type.Null()], {
    description: 'The last check that raises notifications; null before the first',
  }),
  counts: Type.Object({ same: Count, edited: Count, missing: Count, unexpected: Count }),
  items: Type.Array(DriftItem, { maxItems: 100_000, description: 'By kind and name' }),
})
export type DriftReport = Static<typeof DriftReport>

export const DriftSettled = Type.Object({ kind: DriftKind, name: Text(4096) })
export type DriftSettled = Static<typeof DriftSettled>

export const DriftChecked = Type.Object({ found: Type.Integer({ minimum: 0, description: 'What differs' }) })
