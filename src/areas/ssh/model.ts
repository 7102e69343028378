import Type, { type Static } from 'typebox'
import { Id, Text, Time } from '../../core/schemas.ts'

const KeyId = Type.String({
  maxLength: 43,
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'SHA-256 of the key in base64url: its fingerprint with - for + and _ for /',
  expects: 'the id of a key as the list has it',
})

export const SshPath = Type.Object({ uid: Id })
export const SshKeyPath = Type.Object({ uid: Id, id: KeyId })

export const SshKey = Type.Object({
  id: KeyId,
  type: Text(100, { description: 'As OpenSSH names it, such as ssh-ed25519' }),
  bits: Type.Integer({ minimum: 1, maximum: 10_000_000 }),
  fingerprint: Text(50, { description: 'As ssh-keygen -l prints it' }),
  comment: Text(1000),
  has_options: Type.Boolean({ description: 'Its line begins with options such as command=' }),
  added_at: Type.Union([Time, Type.Null()], { description: 'Null if it was not added in the panel' }),
  last_used: Type.Union([Time, Type.Null()], {
    description: 'As the journal of the host has it for the last 90 days; null if unknown',
  }),
})
export type SshKey = Static<typeof SshKey>

const Refusals = Type.Array(Text(1000), {
  maxItems: 20,
  description:
    'Why sshd refuses the account all the same: by its own configuration, or as others may write to the keys',
})

export const AddedSshKey = Type.Object({ ...SshKey.properties, refusals: Refusals })
export type AddedSshKey = Static<typeof AddedSshKey>

export const SshKeys = Type.Object({ keys: Type.Array(SshKey, { maxItems: 10_000 }) })

/** A private key that was pasted by mistake is refused before anything is stored. */
export const SshKeyDraft = Type.Object({
  public_key: Type.String({
    maxLength: 16_384,
    description: 'Public key on one line, as in the file that ends in .pub',
    expects: 'a public key of at most 16384 characters, such as "ssh-ed25519 AAAAC3… name@computer"',
  }),
})
export type SshKeyDraft = Static<typeof SshKeyDraft>

const SignIn = Type.Object({
  at: Time,
  method: Text(40, { description: 'publickey or password' }),
  fingerprint: Type.Union([Text(50), Type.Null()], { description: 'The key; null without one' }),
  address: Text(100),
})

export const SshAccess = Type.Object({
  sftp: Type.Boolean({ description: 'Files over SSH; without a shell, in the own home only' }),
  shell: Type.Boolean({ description: 'Commands over SSH' }),
  takes_password: Type.Boolean({ description: 'A password was set here' }),
  is_suspended: Type.Boolean({ description: 'Then neither is admitted' }),
  obstacle: Type.Union([Text(1000), Type.Null()], {
    description: 'Why sshd does not admit single accounts as is set here; null if it does',
  }),
  refusals: Refusals,
  sign_ins: Type.Array(SignIn, { maxItems: 20, description: 'The latest first, of the last 90 days' }),
})
export type SshAccess = Static<typeof SshAccess>
