import Type, { type Static } from 'typebox'
import {
  Hostname,
  Id,
  OneOf,
  Optional,
  Revision,
  Text,
  Time,
  TypedFileHostname,
  TypedWildcardHostname,
  UnixName,
  WildcardHostname,
} from '../../core/schemas.ts'
import {
  basicAuth,
  PhpVersion,
  settingsEdit,
  settingsFields,
  Upstream,
  WebsiteType,
} from './settings-model.ts'

export const maxAliases = 100

const ofAliases = {
  maxItems: maxAliases,
  uniqueItems: true,
  description: 'Other domains that show this site; *.example.com is every name below example.com',
  expects: `a list of at most ${maxAliases} different host names`,
}
export const Aliases = Type.Array(WildcardHostname, ofAliases)
const TypedAliases = Type.Array(TypedWildcardHostname, ofAliases)

export const Website = Type.Object({
  id: Id,
  domain: Hostname,
  aliases: Aliases,
  user_id: Id,
  username: UnixName,
  type: WebsiteType,
  root: Text(4096, { description: 'Folder that is served' }),
  is_suspended: Type.Boolean(),
  has_certificate: Type.Boolean({ description: 'Whether it is served over https' }),
  https_redirect: Type.Boolean(),
  hsts: Type.Boolean(),
  ...settingsFields,
  basic_auth: basicAuth.shown,
  created_at: Time,
  updated_at: Time,
  revision: Revision,
})
export type Website = Static<typeof Website>

export const WebsiteDraft = Type.Object({
  domain: TypedFileHostname,
  username: Optional(UnixName),
  type: WebsiteType,
  php_version: Optional(PhpVersion),
  upstream: Optional(Upstream),
  aliases: Optional(TypedAliases),
  dns_template: Optional(
    Text(100, {
      minLength: 1,
      description:
        'Also creates a DNS zone for the domain from this template, one of GET /api/websites/dns-templates; superusers only',
      expects: 'the name of a template',
    }),
  ),
})
export type WebsiteDraft = Static<typeof WebsiteDraft>

export const WebsiteEdit = Type.Object({
  domain: Optional(TypedFileHostname),
  username: Optional(UnixName),
  aliases: Optional(TypedAliases),
  https_redirect: Optional(
    Type.Boolean({ description: 'Whether http is redirected to https, once there is a certificate' }),
  ),
  hsts: Optional(
    Type.Boolean({ description: 'Whether browsers use https alone for a year; needs https_redirect' }),
  ),
  ...settingsEdit,
  basic_auth: Optional(basicAuth.edit),
})
export type WebsiteEdit = Static<typeof WebsiteEdit>

export const DnsTemplates = Type.Object({
  templates: Type.Array(Text(100), {
    maxItems: 100_000,
    description:
      'Names for `dns_template`; none where this host keeps no DNS zones, or the caller may not create one',
  }),
})

export const CloneDraft = Type.Object({
  domain: TypedFileHostname,
  username: Optional(UnixName),
})

export const CreationLock = Type.Object({
  locked: Type.Boolean({ description: 'Whether only superusers may create websites' }),
})

export const AliasDraft = Type.Object({ name: TypedWildcardHostname })

/** Replaces the file of a website even if it was edited manually. */
export const Overwriting = Type.Object({
  overwrite: Type.Boolean({
    default: false,
    description: 'Whether a file that was edited by hand is replaced; the plan shows what would be lost',
  }),
})

export const Removing = Type.Object({
  ...Overwriting.properties,
  files: OneOf(['keep', 'remove'], { default: 'keep', description: 'What becomes of its folder' }),
  databases: OneOf(['keep', 'remove'], {
    default: 'keep',
    description: 'Whether its databases stay, without a website',
  }),
})

export const WebsitePath = Type.Object({ id: Id })
export const AliasPath = Type.Object({ id: Id, name: TypedWildcardHostname })

const Addresses = (description: string) =>
  Type.Array(Text(45, { description: 'IP address' }), { maxItems: 500, description })

export const WebsiteDns = Type.Object({
  ipv4: Addresses('The addresses for A records'),
  ipv6: Addresses('The addresses for AAAA records'),
  is_public: Type.Boolean({
    description: 'False if this host has only private addresses, as behind a router that forwards to it',
  }),
  resolves_to: Addresses('The public addresses of the name today, and those of this host'),
  state: OneOf(['here', 'partly_here', 'elsewhere', 'unresolved'], {
    description: 'Where the name leads; unresolved also if there was no answer within 3 seconds',
  }),
})
export type WebsiteDns = Static<typeof WebsiteDns>

export const LogQuery = Type.Object({
  kind: OneOf(['access', 'error'], { default: 'access', description: 'Which log' }),
  lines: Type.Integer({ minimum: 1, maximum: 5000, default: 200, description: 'How many of the last lines' }),
  search: Optional(Type.String({ maxLength: 200, description: 'Only lines with this text' })),
})

export const LogFollowing = Type.Object({
  kind: LogQuery.properties.kind,
  lines: Type.Integer({
    minimum: 0,
    maximum: 5000,
    default: 200,
    description: 'How many of the last lines first',
  }),
  search: LogQuery.properties.search,
  follow: Type.Boolean({ default: true, description: 'Whether the lines to come are sent too' }),
})
export type LogFollowing = Static<typeof LogFollowing>

export const SiteLogLine = Type.Object({
  type: OneOf(['line', 'error'], { description: 'An error ends the stream' }),
  message: Type.String({ maxLength: 65_536 }),
})
export type SiteLogLine = Static<typeof SiteLogLine>

export const LogLines = Type.Object({
  kind: OneOf(['access', 'error']),
  lines: Type.Array(Type.String({ maxLength: 65_536 }), { maxItems: 5000 }),
})
