import Type, { type Static } from 'typebox'
import type { PermissionSlug } from '../../core/permissions.ts'
import {
  Email,
  Id,
  OneOf,
  Optional,
  Revealed,
  Revision,
  Secret,
  Text,
  Time,
  UnixName,
} from '../../core/schemas.ts'

const timeZone = 'Time zone in which times are shown; null for that of the browser'
const TimeZone = Text(64, {
  minLength: 1,
  description: timeZone,
  expects: 'a time zone such as Europe/Berlin',
})

export const User = Type.Object({
  id: Id,
  email: Email,
  fullname: Text(200, { description: 'Full name' }),
  time_zone: Type.Union([TimeZone, Type.Null()], { description: timeZone }),
  username: Type.Union([UnixName, Type.Null()], { description: 'Linux account that the user owns' }),
  is_admin: Type.Boolean({ description: 'Superuser' }),
  is_suspended: Type.Boolean(),
  created_at: Time,
  updated_at: Time,
  revision: Revision,
})
export type User = Static<typeof User>

export const NewPassword = Secret({
  minLength: 10,
  maxLength: 256,
  pattern: '^(?!\\s*$)(?!\\*+$)[^•]*$', // neither blank nor a mask that a form sent back
  expects: 'a password of 10 to 256 characters, not blank and not a mask',
  description: 'Password',
})

export const Slugs = Type.Array(Type.String({ maxLength: 100 }), {
  maxItems: 100,
  description: 'Permission slugs',
  expects: 'a list of permission slugs',
})

/** With these a hosting user manages their own sites from the start. */
export const hostingPermissions: readonly PermissionSlug[] = ['websites_management']

export const UserDraft = Type.Object({
  email: Email,
  password: NewPassword,
  fullname: Text(200, { minLength: 1, description: 'Full name', expects: 'a name of 1 to 200 characters' }),
  username: Optional(UnixName),
  is_admin: Optional(
    Type.Boolean({ description: 'Full administrator access; only a superuser may grant it' }),
  ),
  permissions: Optional(Slugs),
})
export type UserDraft = Static<typeof UserDraft>

export const ExistingUserDraft = Type.Object({ ...UserDraft.properties, username: UnixName })
export type ExistingUserDraft = Static<typeof ExistingUserDraft>

const SystemName = Type.String({
  minLength: 1,
  maxLength: 32,
  pattern: '^[a-zA-Z0-9_][a-zA-Z0-9_-]*$',
  description: 'Linux account',
  expects: 'the name of a Linux account: letters, digits, _ and -, not starting with -',
})

/** The id of a panel user, or the name of a Linux account. */
export const SudoPath = Type.Object({ uid: SystemName })

export const SudoDraft = Type.Object({
  username: SystemName,
  sudo: Type.Boolean({ default: false, description: 'Every command as root, without a password' }),
})
export type SudoDraft = Static<typeof SudoDraft>

export const SudoRights = Type.Object({ sudo: Type.Boolean({ description: 'Passwordless sudo is on' }) })

export const Webapp = Type.Object({
  id: Id,
  domain: Text(253),
  type: Text(40, { description: 'How it is served' }),
  root: Text(4096, { description: 'Folder that is served' }),
  is_suspended: Type.Boolean(),
})
export type Webapp = Static<typeof Webapp>

export const ConfigsWritten = Type.Object({
  success: Type.Literal(true),
  message: Text(100_000, { description: 'The websites whose files were written again' }),
})

const onePassword = 'a password of 10 to 256 characters on one line, not blank and not a mask'

/** One line: it is passed to chpasswd as a line. */
export const SftpPassword = Secret({
  minLength: 10,
  maxLength: 256,
  pattern: '^(?!\\s*$)(?!\\*+$)[^\\u0000-\\u001f\\u007f•]*$',
  expects: onePassword,
  description: 'Password for SSH and SFTP',
})

export const UserEdit = Type.Object({
  email: Optional(
    Type.Union([Email, Type.Literal('')], {
      description: 'Ignored when empty',
      expects: 'an e-mail address',
    }),
  ),
  fullname: Optional(Text(200, { description: 'Ignored when empty' })),
  is_suspended: Optional(Type.Boolean()),
  is_admin: Optional(Type.Boolean()),
  password: Optional(
    Secret({ ...NewPassword, description: 'New password of another user, whose sessions all end' }),
  ),
  username: Optional(
    Type.String({ ...UnixName, description: 'Linux account to create for a user who has none' }),
  ),
  sftp: Optional(Type.Boolean({ description: 'Files over SSH; without a shell, in the own home only' })),
  shell: Optional(
    Type.Boolean({ description: 'Commands over SSH; needs sftp, as a shell transfers files too' }),
  ),
  sftp_password: Optional(
    Type.Union([SftpPassword, Type.Null()], {
      description: 'Password of the Linux account for SSH and SFTP; null locks it',
      expects: onePassword,
    }),
  ),
})
export type UserEdit = Static<typeof UserEdit>

export const UserDeletion = Type.Object({
  files: OneOf(['keep', 'archive', 'remove'], {
    default: 'keep',
    description: 'What becomes of the Linux account of the user and its home',
  }),
  databases: OneOf(['keep', 'remove'], {
    default: 'keep',
    description: 'Whether the databases of the user stay, for superusers alone',
  }),
  overwrite: Type.Boolean({
    default: false,
    description: 'Whether the file of a website is removed although it was edited by hand',
  }),
})

/** Those fields of a user that the user changes. */
export const Profile = Type.Object({
  fullname: Optional(
    Text(200, { minLength: 1, description: 'Full name', expects: 'a name of 1 to 200 characters' }),
  ),
  time_zone: Optional(Type.Union([TimeZone, Type.Null()], { description: timeZone })),
})
export type Profile = Static<typeof Profile>

/** The addresses that a key may be used from. */
export const KeyAddresses = Type.Array(
  Text(49, { description: 'Address or network', expects: 'an address or a network such as 192.0.2.0/24' }),
  { minItems: 1, maxItems: 100, description: 'Addresses and networks that the key may be used from' },
)

export const KeyDraft = Type.Object({
  name: Text(100, {
    minLength: 1,
    description: 'Purpose of the key',
    expects: 'a name of 1 to 100 characters',
  }),
  expires_at: Optional(
    Type.Union([Time, Type.Null()], { description: 'When the key ends; absent if it does not' }),
  ),
  allowed_addresses: Optional(
    Type.Union([KeyAddresses, Type.Null()], { description: 'Absent if it may be used from everywhere' }),
  ),
  permissions: Optional(
    Type.Union([Slugs, Type.Null()], { description: 'Absent if it has all that its user has' }),
  ),
})
export type KeyDraft = Static<typeof KeyDraft>

export const UserPath = Type.Object({ uid: Id })
export const ApiKeyPath = Type.Object({ uid: Id, kid: Id })

export const ApiKey = Type.Object({
  id: Id,
  name: Text(100),
  key_prefix: Type.String({ maxLength: 12, description: 'First 12 characters of the key' }),
  created_at: Time,
  last_used: Type.Union([Time, Type.Null()]),
  expires_at: Type.Union([Time, Type.Null()], { description: 'When the key ends; null if it does not' }),
  allowed_addresses: Type.Union([KeyAddresses, Type.Null()], { description: 'Null: from everywhere' }),
  permissions: Type.Union([Slugs, Type.Null()], {
    description: 'Null: all that its user has; with a list, a superuser is none by it',
  }),
})

export const ApiKeys = Type.Object({ keys: Type.Array(ApiKey, { maxItems: 10_000 }) })

export const NewApiKey = Type.Object({
  id: Id,
  key: Revealed({ description: 'The key, shown only here' }),
  key_prefix: Type.String({ maxLength: 12 }),
  name: Text(100),
})

export const PermissionSlugEntry = Type.Object({
  slug: Type.String({ maxLength: 100 }),
  title: Type.String({ maxLength: 200 }),
})
