import Type, { type Static } from 'typebox'
import { Id, OneOf, Optional, Prose, Revealed, Secret, Text } from '../../core/schemas.ts'
import { Manifest } from './manifest-model.ts'

export const maxManifestBytes = 1024 * 1024
/** The entries of all sections together. */
export const maxObjects = 1000

const Path = Text(200, { description: 'Place in the manifest, such as users[0].password' })

const SentSecret = Type.Object({
  path: Path,
  value: Secret({ maxLength: 256, description: 'What the reference at this place stands for' }),
})

const fields = {
  text: Secret({
    maxLength: maxManifestBytes,
    description: 'The manifest, as YAML or JSON; logs and the activity do not show it',
    expects: 'the text of a manifest of at most 1 MiB',
  }),
  prune: Type.Boolean({
    default: false,
    description: 'Whether objects are deleted that are not in the sections of the manifest',
  }),
}

const Digest = Type.String({
  pattern: '^[0-9a-f]{64}$',
  maxLength: 64,
  description: 'Digest of a plan: with it, a manifest that would do something else by now is refused',
  expects: 'the digest of a plan',
})

export const ManifestPlanDraft = Type.Object(fields)
export type ManifestPlanDraft = Static<typeof ManifestPlanDraft>

export const ManifestDraft = Type.Object({
  ...fields,
  confirm: Type.Boolean({
    default: false,
    description: 'Confirms what the plan lists under `confirmations`',
  }),
  plan: Optional(Digest),
  secrets: Optional(
    Type.Array(SentSecret, {
      maxItems: 2000,
      description: 'The values of the references that the plan lists',
    }),
  ),
})
export type ManifestDraft = Static<typeof ManifestDraft>

export const Operation = Type.Object({
  action: OneOf(['create', 'change', 'delete'], { description: 'What happens to the object' }),
  object: Text(400, { description: 'Kind and name of the object, such as website www.example.com' }),
  path: Type.Union([Path, Type.Null()], {
    description: 'Place in the manifest; null for an object that is not in it',
  }),
  details: Type.Array(Text(1000), { maxItems: 1000, description: 'What changes about it' }),
})
export type Operation = Static<typeof Operation>

const Operations = Type.Array(Operation, {
  maxItems: 100_000,
  description: 'What is done, in this order; empty if the host is as the manifest has it',
})

export const ManifestPlan = Type.Object({
  digest: Digest,
  operations: Operations,
  confirmations: Type.Array(Text(1000), {
    maxItems: 100_000,
    description: 'What cannot be undone or could lock people out, and has to be confirmed',
  }),
  references: Type.Array(
    Type.Object({
      path: Path,
      env: Type.Union([Text(100), Type.Null()], { description: 'Name of an environment variable' }),
      file: Type.Union([Text(4096), Type.Null()], { description: 'Path of a file' }),
    }),
    { maxItems: 10_000, description: 'References to passwords of new objects, whose values apply needs' },
  ),
  steps: Type.Array(
    Type.Object({
      title: Text(4096),
      irreversible: Type.Union([Text(1000), Type.Null()], {
        description: 'Why it cannot be undone; null if it can',
      }),
    }),
    { maxItems: 10_000, description: 'The steps on the host' },
  ),
})
export type ManifestPlan = Static<typeof ManifestPlan>

export const NewSecret = Type.Object({
  path: Path,
  object: Text(400, { description: 'Whose password it is' }),
  password: Revealed({ description: 'The password, which was drawn and is shown this once' }),
})
export type NewSecret = Static<typeof NewSecret>

export const ManifestApplied = Type.Object({
  operations: Operations,
  passwords: Type.Array(NewSecret, { maxItems: 10_000, description: 'Passwords that were drawn' }),
  left: Type.Array(Text(1000), {
    maxItems: 10_000,
    description:
      'What a database server refused to remove when other databases were gone already: remove it there',
  }),
})
export type ManifestApplied = Static<typeof ManifestApplied>

export const allSections = ['users', 'websites', 'databases', 'zones', 'firewall_rules'] as const
export type ManifestSection = (typeof allSections)[number]

export const ManifestExport = Type.Object({
  format: OneOf(['yaml', 'json'], { default: 'yaml', description: 'Form of the text' }),
  section: Optional(OneOf(allSections, { description: 'The one section to write; absent for all' })),
})
export type ManifestExport = Static<typeof ManifestExport>

export const ManifestText = Type.Object({
  text: Prose(maxManifestBytes, { description: 'The manifest of this host, without passwords' }),
})

const Ids = Type.Array(Id, { maxItems: maxObjects })

/** What an application of a manifest is decided from, at the request and at the turn of its job. */
export const ApplyInput = Type.Object({
  manifest: Manifest,
  prune: Type.Boolean(),
  confirm: Type.Boolean(),
  plan: Optional(Digest),
  ids: Type.Object({ users: Ids, websites: Ids, databases: Ids, firewall_rules: Ids }),
  passwords: Type.Array(
    Type.Object({
      path: Path,
      value: Secret({ maxLength: 256 }),
      is_drawn: Type.Boolean(),
    }),
    { maxItems: 10_000 },
  ),
})
export type ApplyInput = Static<typeof ApplyInput>
