import Type, { type Static } from 'typebox'
import { OneOf } from '../../../core/schemas.ts'
import { ActionOptions, actions, Condition, LibraryRule } from '../model.ts'

const StoredRule = Type.Object({
  /** `lib:` begins that of a reference to the library, which has no conditions of its own. */
  id: Type.String(),
  name: Type.String(),
  enabled: Type.Boolean(),
  conditions: Type.Array(Condition),
})
export type StoredRule = Static<typeof StoredRule>

const StoredRuleset = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  action: OneOf(actions),
  action_options: ActionOptions,
  combine: OneOf(['any', 'all']),
  enabled: Type.Boolean(),
  website_ids: Type.Union([Type.Array(Type.Integer()), Type.Null()]),
  rules: Type.Array(StoredRule),
})
export type StoredRuleset = Static<typeof StoredRuleset>

const StoredGroup = Type.Object({ name: Type.String(), entries: Type.Array(Type.String()) })

const contents = { groups: Type.Array(StoredGroup), rulesets: Type.Array(StoredRuleset) }

/** The file of an owner's rules, with what is not applied yet. */
export const AccessConfig = Type.Object({
  version: Type.Literal(1),
  /** Counts the ids that were given. */
  next_id: Type.Integer(),
  ...contents,
})
export type AccessConfig = Static<typeof AccessConfig>

/** The rules that nginx evaluates, with the conditions that the library had. */
export const AppliedConfig = Type.Object({
  version: Type.Literal(1),
  /** Signs the cookies of passed challenges. */
  challenge_key: Type.String(),
  /** When the file was built by which nginx knows the countries of addresses; absent if no rule asks for one. */
  countries_built_at: Type.Optional(Type.String()),
  ...contents,
})
export type AppliedConfig = Static<typeof AppliedConfig>

/** The rules that all owners share. */
export const LibraryConfig = Type.Object({ version: Type.Literal(1), rules: Type.Array(LibraryRule) })
export type LibraryConfig = Static<typeof LibraryConfig>

export const emptyConfig: AccessConfig = { version: 1, next_id: 1, groups: [], rulesets: [] }
