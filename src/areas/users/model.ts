import Type, { type Static } from 'typebox'
import type { PermissionSlug } from '../../core/permissions.ts'
import { Email, Id, Optional, Revealed, Revision, Secret, Text, Time, UnixName } from '../../core/schemas.ts'

export const User = Type.Object({
  id: Id,
  email: Email,
  fullname: Text(200, { description: 'Full name' }),
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
})
export type UserEdit = Static<typeof UserEdit>

export const UserPath = Type.Object({ uid: Id })
export const ApiKeyPath = Type.Object({ uid: Id, kid: Id })

export const ApiKey = Type.Object({
  id: Id,
  name: Text(100),
  key_prefix: Type.String({ maxLength: 12, description: 'First 12 characters of the key' }),
  created_at: Time,
  last_used: Type.Union([Time, Type.Null()]),
})

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
