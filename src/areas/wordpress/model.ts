import Type, { type Static } from 'typebox'
import { Hostname, Id, OneOf, Optional, Revealed, Text, Time, UnixName } from '../../core/schemas.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description })

export const InstallationPath = Type.Object({ id: Id })

const Version = Text(60, { description: 'Version' })
const NewVersion = Nullable(Version, 'Version to which it can be updated; null if none is known')
const address = Text(300, { description: 'Address of the website' })

export const Installation = Type.Object({
  website_id: Id,
  domain: Hostname,
  username: UnixName,
  version: Nullable(Version, 'Version in its files; null if they tell none'),
  url: address,
  is_suspended: Type.Boolean(),
  is_installed_by_panel: Type.Boolean({ description: 'Whether it was installed as an application' }),
})
export type Installation = Static<typeof Installation>

export const itemKinds = ['plugin', 'theme'] as const
const Kind = OneOf(itemKinds, { description: 'A plugin or a theme' })
/** `core` is WordPress itself. */
const AlteredKind = OneOf([...itemKinds, 'core'], { description: 'A plugin, a theme, or WordPress itself' })

/** The file of a plugin below its folder, or the folder of a theme. */
const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^(?!\\.)[A-Za-z0-9_. +-]+(?:/(?!\\.)[A-Za-z0-9_. +-]+)*$',
  description: 'File of a plugin such as akismet/akismet.php, or folder of a theme',
  expects: 'the name of a plugin such as akismet/akismet.php, or of a theme such as twentytwentythree',
})

const Item = Type.Object({
  name: Text(200, { description: 'File of a plugin, or folder of a theme' }),
  title: Text(200, { description: 'Name for people' }),
  version: Version,
  is_active: Type.Boolean(),
  is_needed: Type.Boolean({ description: 'Whether the active theme is based on it' }),
  new_version: NewVersion,
})
export type Item = Static<typeof Item>

export const Hardening = Type.Object({
  no_php_in_uploads: Type.Boolean({ description: 'No script runs in wp-content/uploads' }),
  no_file_editing: Type.Boolean({ description: 'Nobody edits plugins and themes in the browser' }),
  no_xmlrpc: Type.Boolean({ description: 'xmlrpc.php is answered with 403' }),
  limited_sign_ins: Type.Boolean({
    description: 'An address makes 10 sign-ins a minute at most; further ones are answered with 429',
  }),
})
export type Hardening = Static<typeof Hardening>

export const HardeningEdit = Type.Partial(Hardening)
export type HardeningEdit = Static<typeof HardeningEdit>

export const WordPress = Type.Object({
  ...Installation.properties,
  title: Text(200, { description: 'Title of the website' }),
  php_version: Text(10, { description: 'Version of PHP' }),
  new_version: NewVersion,
  checked_at: Nullable(Time, 'When WordPress last looked for updates; null if never'),
  plugins: Type.Array(Item, { maxItems: 500 }),
  themes: Type.Array(Item, { maxItems: 200 }),
  administrators: Type.Array(Text(60), { maxItems: 100, description: 'User names of its administrators' }),
  hardening: Hardening,
})
export type WordPress = Static<typeof WordPress>

export const ItemState = Type.Object({
  kind: Kind,
  name: Name,
  active: Type.Boolean({ description: 'Whether it is to be active; a theme is replaced by another one' }),
})
export type ItemState = Static<typeof ItemState>

const Sha256 = Type.String({
  maxLength: 64,
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of the archive',
  expects: '64 hexadecimal digits in lower case',
})

const UpdateItem = Type.Object({
  kind: Kind,
  name: Name,
  path: Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: '^(?!/)[^\\u0000-\\u001f\\u007f]+$',
      description: 'Zip archive in the home of the owner, instead of the known update',
      expects: 'a path relative to the home of the owner',
    }),
  ),
  url: Optional(
    Type.String({
      maxLength: 1000,
      pattern: '^https://[!-~]+$',
      description: 'Address of a zip archive, instead of the known update; needs sha256',
      expects: 'an address that begins with https://',
    }),
  ),
  sha256: Optional(Sha256),
})

export const UpdateDraft = Type.Object({
  items: Type.Array(UpdateItem, {
    minItems: 1,
    maxItems: 50,
    description: 'What is updated',
    expects: 'a list of 1 to 50 plugins and themes',
  }),
  check_site: Type.Boolean({
    default: true,
    description: 'Whether the website must answer afterwards; otherwise all is taken back',
  }),
})
export type UpdateDraft = Static<typeof UpdateDraft>

const { path, url, sha256 } = UpdateItem.properties
export const CoreUpdateDraft = Type.Object({
  ...{ path, url, sha256 },
  check_site: UpdateDraft.properties.check_site,
})
export type CoreUpdateDraft = Static<typeof CoreUpdateDraft>

const DeletedItem = Type.Object({ kind: Kind, name: Name })
export const DeletionDraft = Type.Object({
  items: Type.Array(DeletedItem, {
    minItems: 1,
    maxItems: 50,
    description: 'What is deleted',
    expects: 'a list of 1 to 50 plugins and themes',
  }),
  check_site: UpdateDraft.properties.check_site,
})
export type DeletionDraft = Static<typeof DeletionDraft>

const AlterItem = Type.Object({ ...UpdateItem.properties, kind: AlteredKind })
export type AlterItem = Static<typeof AlterItem>

export const AlterInput = Type.Object({
  website_id: Id,
  action: OneOf(['update', 'delete']),
  items: Type.Array(AlterItem, { minItems: 1, maxItems: 50 }),
  check_site: Type.Boolean(),
  /** Names the change in the folder of the website. */
  mark: Text(40),
})
export type AlterInput = Static<typeof AlterInput>

export const Altered = Type.Object({
  items: Type.Array(
    Type.Object({
      kind: AlteredKind,
      name: Text(200),
      former_version: Version,
      version: Nullable(Version, 'Version that it has now; null if it was deleted'),
    }),
    { maxItems: 50 },
  ),
  backup: Text(255, { description: 'Backup of the website that was made before' }),
})
export type Altered = Static<typeof Altered>

export const Checked = Type.Object({
  core: NewVersion,
  plugins: Type.Integer({ minimum: 0, description: 'Plugins that can be updated' }),
  themes: Type.Integer({ minimum: 0, description: 'Themes that can be updated' }),
})
export type Checked = Static<typeof Checked>

export const SignInDraft = Type.Object({
  user: Optional(
    Text(60, { minLength: 1, description: 'User name of an administrator; default the first one' }),
  ),
})
export type SignInDraft = Static<typeof SignInDraft>

export const SignInLink = Type.Object({
  user: Text(60, { description: 'User name of the administrator' }),
  link: Revealed({ description: 'Signs the administrator in, once' }),
  expires_at: Time,
})
export type SignInLink = Static<typeof SignInLink>
