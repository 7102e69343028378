import Type, { type Static } from 'typebox'
import { Masked, Secret, Text } from '../../core/schemas.ts'

const Passphrase = Secret({
  minLength: 12,
  maxLength: 1024,
  description: 'Passphrase of the export',
  expects: 'a passphrase of 12 to 1024 characters',
})

const VaultName = Type.String({
  maxLength: 64,
  pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
  description: 'Name of the variable that the assistant sees',
  expects: 'a letter or _, then letters, digits and _, at most 64',
})

export const mostEntries = 500

export const Vault = Type.Object({
  entries: Type.Array(Type.Object({ name: Text(64), value: Masked({ maxLength: 8192 }) }), {
    maxItems: mostEntries,
    description: 'By name; the values are masked',
  }),
})
export type Vault = Static<typeof Vault>

export const VaultEntryDraft = Type.Object({
  name: VaultName,
  value: Secret({ minLength: 1, maxLength: 8192, description: 'Value', expects: 'a secret on one line' }),
})
export type VaultEntryDraft = Static<typeof VaultEntryDraft>

export const VaultEntryPath = Type.Object({ name: Text(200, { description: 'Name of an entry' }) })

export const VaultExportDraft = Type.Object({ passphrase: Passphrase })
export const VaultExport = Type.Object({
  export: Type.String({ description: 'The entries, encrypted: keep it with its passphrase' }),
})
export const VaultImportDraft = Type.Object({
  export: Type.String({
    maxLength: 8_000_000,
    pattern: '^[A-Za-z0-9._-]*$',
    description: 'An export of a vault',
    expects: 'the text of an export',
  }),
  passphrase: Passphrase,
})
export type VaultImportDraft = Static<typeof VaultImportDraft>
export const VaultImported = Type.Object({
  success: Type.Literal(true),
  imported: Type.Integer({ minimum: 0 }),
})
