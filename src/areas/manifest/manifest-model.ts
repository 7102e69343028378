import Type, { type Static } from 'typebox'
import { type PermissionSlug, permissionSlugs } from '../../core/permissions.ts'
import { Email, OneOf, Optional, Text, TypedFileHostname, UnixName } from '../../core/schemas.ts'
import { RecordSetDraft } from '../authdns/index.ts'
import { engineNames } from '../databases/index.ts'
import { FirewallRuleDraft } from '../firewall/index.ts'
import { settingsEdit, WebsiteDraft, WebsiteType } from '../websites/index.ts'

const most = 1000

const PasswordReference = Type.Object(
  {
    env: Optional(
      Type.String({
        maxLength: 100,
        pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
        description: 'Environment variable of the command line',
        expects: 'the name of an environment variable',
      }),
    ),
    file: Optional(
      Text(4096, {
        minLength: 1,
        description: 'File that the command line reads',
        expects: 'the path of a file',
      }),
    ),
  },
  {
    description: 'Where the password of a new object is; absent for one that is drawn',
    expects: 'a reference such as {env: NAME} or {file: PATH}: a manifest contains no passwords',
  },
)
export type PasswordReference = Static<typeof PasswordReference>

const ManifestUser = Type.Object({
  email: Email,
  fullname: Optional(
    Text(200, {
      minLength: 1,
      description: 'Full name; that of a new user is the e-mail address',
      expects: 'a name of 1 to 200 characters',
    }),
  ),
  username: Optional(UnixName),
  is_admin: Optional(Type.Boolean({ description: 'Full administrator access' })),
  is_suspended: Optional(Type.Boolean()),
  permissions: Optional(
    Type.Array(
      Type.Unsafe<PermissionSlug>(
        Type.Enum([...permissionSlugs], { expects: 'a permission such as websites_management' }),
      ),
      { maxItems: 100, uniqueItems: true, description: 'All permissions of the user', expects: 'a list' },
    ),
  ),
  password: Optional(PasswordReference),
})
export type ManifestUser = Static<typeof ManifestUser>

/** A version that is not quoted is a number in YAML, and 8.10 would be 8.1. */
const QuotedVersion = Type.String({
  ...settingsEdit.php_version,
  expects: "a version in quotes, such as '8.2'",
})

const ManifestWebsite = Type.Object({
  domain: TypedFileHostname,
  username: UnixName,
  type: WebsiteType,
  aliases: WebsiteDraft.properties.aliases,
  is_suspended: Optional(Type.Boolean()),
  https_redirect: Optional(Type.Boolean({ description: 'Whether http is redirected to https' })),
  hsts: Optional(Type.Boolean({ description: 'Whether browsers use https alone; needs https_redirect' })),
  ...settingsEdit,
  php_version: Optional(QuotedVersion),
})
export type ManifestWebsite = Static<typeof ManifestWebsite>

const ManifestDatabase = Type.Object({
  // one that others made, and that was filed under a website, has no prefix
  name: Type.String({
    maxLength: 64,
    pattern: '^[a-z0-9_-]+$',
    description:
      'Whole name on the server; that of a new database begins with the account of the owner and _',
    expects: 'the whole name, such as ada_shop: lower-case letters, digits, _ and -',
  }),
  website: TypedFileHostname,
  engine: Optional(
    OneOf(engineNames, { description: 'The server that has the database; that of a new one is mariadb' }),
  ),
  users: Type.Array(
    Type.Object({
      username: Type.String({
        maxLength: 80,
        pattern: '^[a-z_][a-z0-9_-]*_[a-z0-9_-]+$',
        description: 'Whole user name on the server',
        expects: `the whole name, such as ada_shop: the account of the owner, _, and lower-case letters, digits, _ and -`,
      }),
      host: Text(60, {
        minLength: 1,
        default: 'localhost',
        description: 'Where the user connects from; % is any host',
        expects: 'a host name, an address or a pattern',
      }),
      password: Optional(PasswordReference),
    }),
    {
      maxItems: 100,
      description: 'Users with all rights on it; a new database has at least one',
      expects: 'a list of users',
    },
  ),
})
export type ManifestDatabase = Static<typeof ManifestDatabase>

const { changetype: _, ...setFields } = RecordSetDraft.properties
const ManifestZone = Type.Object({
  name: Text(255, { minLength: 1, description: 'Name of the zone', expects: 'a domain name' }),
  kind: Optional(
    OneOf(['Native', 'Master', 'Slave'], { description: 'Slave for a zone that is transferred' }),
  ),
  masters: Optional(
    Type.Array(Text(100, { expects: 'an address' }), {
      maxItems: 16,
      description: 'Servers that a Slave is transferred from',
      expects: 'a list of addresses',
    }),
  ),
  rrsets: Optional(
    Type.Array(Type.Object(setFields), {
      maxItems: 10_000,
      description: 'Record sets; the SOA is made, and so are the name servers unless they are here',
      expects: 'a list of record sets',
    }),
  ),
})
export type ManifestZone = Static<typeof ManifestZone>

const { position: _position, ports, ...ruleFields } = FirewallRuleDraft.properties
const ManifestRule = Type.Object({
  ...ruleFields,
  ports: Optional(
    Type.Array(
      Type.Union([ports.items, Type.Integer({ minimum: 1, maximum: 65_535 })], {
        expects: 'a port from 1 to 65535 such as 443, or a range such as 8000-8100',
      }),
      { maxItems: 100, description: 'Ports of this host; absent for all', expects: 'a list of ports' },
    ),
  ),
})
export type ManifestRule = Static<typeof ManifestRule>

const section = <Schema extends Type.TSchema>(item: Schema, description: string) =>
  Optional(Type.Array(item, { maxItems: most, description, expects: `a list of at most ${most} entries` }))

export const Manifest = Type.Object({
  version: Type.Literal(1, { description: 'Version of the schema', expects: '1' }),
  users: section(ManifestUser, 'Panel users, by e-mail address'),
  websites: section(ManifestWebsite, 'Websites, by domain'),
  databases: section(ManifestDatabase, 'Databases of websites, by name'),
  zones: section(ManifestZone, 'DNS zones, by name'),
  firewall_rules: section(ManifestRule, 'Rules of the firewall, in their order'),
})
export type Manifest = Static<typeof Manifest>
