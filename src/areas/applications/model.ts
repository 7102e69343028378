import Type, { type Static } from 'typebox'
import {
  Email,
  Hostname,
  Id,
  OneOf,
  Optional,
  Revealed,
  Secret,
  Text,
  Time,
  TypedFileHostname,
  UnixName,
} from '../../core/schemas.ts'
import { applicationIds } from './catalog/entry.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const ApplicationName = OneOf(applicationIds, { description: 'Name of the application in the catalog' })
const Version = Text(40, { description: 'Version' })

export const CatalogApplication = Type.Object({
  application: ApplicationName,
  name: Text(60, { description: 'Name for people' }),
  icon: Text(30, { description: 'Name of its icon' }),
  description: Text(200, { description: 'What it is for' }),
  note: Nullable(Text(300), 'What is good to know'),
  type: OneOf(['static', 'php'], { description: 'Type of its website' }),
  needs_database: Type.Boolean({ description: 'Whether it gets a database of its own on MariaDB' }),
  has_administrator: Type.Boolean({ description: 'Whether somebody signs in to it' }),
  source: OneOf(['package', 'download', 'included'], {
    description: 'A Debian package of this host, a verified download, or files of the panel',
  }),
  version: Nullable(Version, 'Version that would be installed; null if the download tells it'),
  available: Type.Boolean({ description: 'Whether it can be installed now' }),
  reason: Nullable(Text(500), 'Why not'),
})
export type CatalogApplication = Static<typeof CatalogApplication>

export const Catalog = Type.Object({
  applications: Type.Array(CatalogApplication, { maxItems: 100 }),
})
export type Catalog = Static<typeof Catalog>

const PhpVersion = Type.String({
  maxLength: 4,
  pattern: '^[5-9]\\.[0-9]{1,2}$',
  description: 'PHP version; default the newest that is installed',
  expects: 'a version such as 8.2',
})

const title = Text(100, {
  minLength: 1,
  description: 'Title of the website; default its domain',
  expects: 'a title of 1 to 100 characters on one line',
})

const Administrator = Type.String({
  minLength: 1,
  maxLength: 60,
  pattern: '^[a-z0-9][a-z0-9._-]*$',
  description: 'User name of the first administrator',
  expects:
    '1 to 60 lower-case letters, digits, dots, hyphens and underscores, beginning with a letter or digit',
})

export const ApplicationDraft = Type.Object({
  application: ApplicationName,
  domain: TypedFileHostname,
  username: Optional(UnixName),
  title: Optional(title),
  administrator: Optional(Administrator),
  email: Optional(Email),
  php_version: Optional(PhpVersion),
  certificate: OneOf(['auto', 'none'], {
    default: 'auto',
    description: 'auto orders one if the domain leads to this host already',
  }),
})
export type ApplicationDraft = Static<typeof ApplicationDraft>

export const InstallInput = Type.Object({
  ...ApplicationDraft.properties,
  website_id: Id,
  database_id: Id,
  password: Secret({ maxLength: 64, description: 'Of the administrator' }),
  database_password: Secret({ maxLength: 64, description: 'Of the account of the database' }),
  secrets: Type.Array(Type.Object({ name: Text(60), value: Secret({ maxLength: 100 }) }), { maxItems: 50 }),
})
export type InstallInput = Static<typeof InstallInput>

const address = Text(300, { description: 'Address of the website' })
const signIn = Nullable(Text(400), 'Where its administrator signs in; null if nobody does')

export const InstalledApplication = Type.Object({
  website_id: Id,
  application: ApplicationName,
  domain: Hostname,
  version: Nullable(Version, 'Version; null if its file tells none'),
  url: address,
  sign_in_url: signIn,
  administrator: Nullable(Text(60), 'User name of the first administrator; null if it has none'),
  password: Nullable(
    Revealed({ description: 'Password of the administrator, shown this once' }),
    'Password of the administrator, shown this once; null if there is none',
  ),
  database: Nullable(Text(64), 'Its database; null if it has none'),
  has_certificate: Type.Boolean({ description: 'Whether it is served over https' }),
})
export type InstalledApplication = Static<typeof InstalledApplication>

export const Application = Type.Object({
  website_id: Id,
  application: ApplicationName,
  name: Text(60, { description: 'Name for people' }),
  domain: Hostname,
  username: UnixName,
  version: Nullable(Version, 'Version in its files; null if they tell none'),
  available_version: Nullable(
    Version,
    'A newer version in the Debian package of this host; null if there is none',
  ),
  url: address,
  sign_in_url: signIn,
  administrator: Nullable(Text(60), 'User name of the first administrator; null if it has none'),
  created_at: Time,
})
export type Application = Static<typeof Application>
