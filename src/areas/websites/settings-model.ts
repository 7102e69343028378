import Type, { type Static } from 'typebox'
import { Masked, OneOf, Optional, Secret, Text } from '../../core/schemas.ts'
import { PageCacheSettings } from './page-cache-model.ts'

const whole = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description, expects: `a whole number from ${minimum} to ${maximum}` })

const limits = {
  memory_mb: whole(16, 8192, 'Memory of one request, in MiB'),
  max_children: whole(1, 200, 'Requests that run at the same time'),
  upload_mb: whole(1, 4096, 'Largest request body, in MiB'),
  execution_seconds: whole(1, 3600, 'Longest time of a request, in seconds'),
}

/** The limits of the PHP of a site. */
export const PhpLimits = Type.Object(limits)
export type PhpLimits = Static<typeof PhpLimits>

const plainFolder = '^[A-Za-z0-9_][A-Za-z0-9_.@+-]*(?:/[A-Za-z0-9_][A-Za-z0-9_.@+-]*){0,9}$'

/** A directive of php.ini, and its value. */
export const phpDirective = {
  name: Type.String({
    maxLength: 100,
    pattern: '^[a-z][A-Za-z0-9_]*(?:\\.[A-Za-z0-9_]+){0,3}$',
    description: 'Directive of php.ini',
    expects: 'the name of a PHP directive such as date.timezone',
  }),
  value: Type.String({
    maxLength: 200,
    pattern: '^[A-Za-z0-9 _.,:/+@&|~^()!*=<>?#%-]*$',
    description: 'Its value',
    expects: 'one line without quotes, semicolons, $, \\ and brackets',
  }),
}

const PhpSettings = Type.Record(phpDirective.name, phpDirective.value, {
  maxProperties: 50,
  additionalProperties: false,
  description: 'Directives of php.ini with their values',
  expects: 'an object with names of PHP directives, such as date.timezone, and their values',
})

const UploadFolders = Type.Array(
  Type.String({
    maxLength: 200,
    pattern: plainFolder,
    description: 'Folder',
    expects: 'a folder such as wp-content/uploads',
  }),
  { maxItems: 50, description: 'Folders below the document root in which PHP never executes' },
)

const label = '(?!-)[a-z0-9-]{1,63}(?<!-)'
/** The names that a certificate can have; those of an internal network may have one label. */
export const tlsName = new RegExp(`^(?:${label}\\.)*${label}$`)
const TlsName = Type.String({
  maxLength: 253,
  pattern: tlsName.source,
  description: 'Name in the certificate of an https upstream, and of SNI; null for that of its address',
  expects: 'a host name in lower case such as app.example.com',
})
const Authorities = Type.String({
  maxLength: 20_000,
  description: 'Authorities that may certify an https upstream, as PEM; null for those that the host trusts',
  expects: 'certificates in PEM, of at most 20,000 characters',
})

export const ProxySettings = Type.Object({
  body_mb: whole(1, 4096, 'Largest request body, in MiB; 128 by default'),
  timeout_seconds: whole(1, 3600, 'Longest wait for the upstream, in seconds'),
  upgrade_seconds: whole(
    1,
    86_400,
    'Longest silence of an upgraded connection such as a WebSocket, in seconds; an hour by default',
  ),
  verify_tls: Type.Boolean({ description: 'Whether the certificate of an https upstream is verified' }),
  tls_name: Type.Union([TlsName, Type.Null()]),
  ca: Type.Union([Authorities, Type.Null()]),
})
export type ProxySettings = Static<typeof ProxySettings>

const path = (description: string) =>
  Type.String({
    maxLength: 500,
    pattern: '^/[^$\\u0000-\\u001f\\u007f-\\u009f]*$',
    description,
    expects: 'a path that begins with / and has neither $ nor line breaks',
  })

const Redirect = Type.Object({
  from: path('Exact path; with `prefix` also every path below it'),
  to: Type.String({
    maxLength: 1000,
    pattern: '^(?:https?://[^/$\\s"\\\\]|/(?!/))[^$\\s"\\\\\\u0000-\\u001f\\u007f-\\u009f]*$',
    description: 'Path or address',
    expects: 'a path or an http(s) address without spaces, quotes and $',
  }),
  code: Optional(
    Type.Union(
      [301, 302, 307, 308].map((code) => Type.Literal(code)),
      { description: 'Status; default 301' },
    ),
  ),
  prefix: Optional(
    Type.Boolean({
      description:
        'Whether every path below `from` is redirected too, with the rest of the path and the query after `to`; default false',
    }),
  ),
})

const ErrorPage = Type.Object({
  code: whole(400, 599, 'Status that is replaced'),
  path: path('File below the document root'),
})

const Directive = Type.Object({
  name: Type.String({
    maxLength: 64,
    pattern: '^[a-z][a-z0-9_]*$',
    description: 'Directive of nginx',
    expects: 'the name of a directive',
  }),
  values: Type.Array(
    Type.String({
      maxLength: 1000,
      pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$',
      description: 'Value',
      expects: 'one line that is not empty',
    }),
    { minItems: 1, maxItems: 10, description: 'Its values, which the panel quotes' },
  ),
})

const Username = Type.String({
  maxLength: 64,
  pattern: '^[A-Za-z0-9._@-]+$',
  description: 'User',
  expects: 'letters, digits and . _ @ -',
})
const protectedFolder = Type.String({
  maxLength: 500,
  pattern: '^/(?:[A-Za-z0-9_.@+~ -]+/)*(?:[A-Za-z0-9_.@+~ -]+)?$',
  description: 'Folder such as /admin/, with everything below it',
  expects: 'a path such as /admin/ of letters, digits, spaces and . _ @ + ~ -',
})

/** The folders of a site that ask for a password, as they are shown. */
const BasicAuth = Type.Array(
  Type.Object({
    folder: protectedFolder,
    users: Type.Array(Type.Object({ username: Username, password: Masked({ description: 'Password' }) }), {
      maxItems: 100,
    }),
  }),
  { maxItems: 50, description: 'Folders that ask for a password' },
)

const Password = Secret({
  minLength: 1,
  maxLength: 60, // openssl takes 256 bytes
  pattern: '^[^\\u0000-\\u001f\\u007f]+$',
  description: 'Password; absent or masked keeps the one that is stored',
  expects: 'one line of 1 to 60 characters',
})

const BasicAuthEdit = Type.Array(
  Type.Object({
    folder: protectedFolder,
    users: Type.Array(
      Type.Object({
        username: Username,
        password: Optional(Password),
      }),
      { minItems: 1, maxItems: 100, description: 'Who may see the folder' },
    ),
  }),
  { maxItems: 50, description: 'Folders that ask for a password' },
)

export const PhpVersion = Type.String({
  maxLength: 4,
  pattern: '^[5-9]\\.[0-9]{1,2}$',
  description: 'PHP version',
  expects: 'a version such as 8.2',
})

export const Upstream = Type.String({
  maxLength: 300,
  pattern: '^(?:https?://|unix:/)[!-~]+$',
  description: 'Where requests are forwarded',
  expects: 'http://host:port, https://host:port, or unix:/path of a socket',
})

/** What a site has besides its names, type and owner. */
export const settingsFields = {
  php_version: Type.Union([PhpVersion, Type.Null()], {
    description: 'PHP version; null unless the type is php',
  }),
  php_settings: PhpSettings,
  limits: PhpLimits,
  allowed_limits: PhpLimits,
  upload_folders: UploadFolders,
  upstream: Type.Union([Upstream, Type.Null()], { description: 'Upstream; null unless the type is proxy' }),
  proxy_settings: ProxySettings,
  redirects: Type.Array(Redirect, { maxItems: 500, description: 'Redirects by path' }),
  error_pages: Type.Array(ErrorPage, { maxItems: 50, description: 'Pages that replace errors' }),
  maintenance: Type.Boolean({ description: 'Whether every request is answered with 503' }),
  directives: Type.Array(Directive, { maxItems: 100, description: 'Further directives of nginx' }),
  shared_subdomains: Type.Boolean({
    description: 'Whether other owners may have names below those of this website; for superusers',
  }),
}

const sitePath = Type.String({ maxLength: 100, pattern: '^(?:/[A-Za-z0-9_.-]+)+$' })

/** The settings as they are stored. */
export const SiteSettings = Type.Object({
  ...settingsFields,
  /** Off if absent. The area of the page cache changes it. */
  page_cache: Optional(PageCacheSettings),
  /** The address to which the name of the upstream resolved. */
  upstream_address: Type.Union([Text(45), Type.Null()]),
  /** Scripts that the web server refuses; set by areas that know the application. */
  refused_scripts: Optional(Type.Array(sitePath, { maxItems: 20 })),
  /** The script that receives sign-ins, of which an address makes a few a minute at most. */
  sign_in_script: Optional(sitePath),
})
/** The same as an earlier version of the panel may have stored them: later settings are absent. */
export const StoredSettings = Type.Object({
  ...SiteSettings.properties,
  proxy_settings: Type.Partial(ProxySettings),
  shared_subdomains: Optional(settingsFields.shared_subdomains),
})
export type SiteSettings = Static<typeof SiteSettings>

/** The fields of PATCH; a field that is absent stays. */
export const settingsEdit = {
  php_version: Optional(PhpVersion),
  php_settings: Optional(PhpSettings),
  limits: Optional(
    Type.Partial(PhpLimits, { description: 'Of the PHP of the site; a limit that is absent stays' }),
  ),
  allowed_limits: Optional(
    Type.Partial(PhpLimits, { description: 'The most that its owner may choose; for superusers' }),
  ),
  upload_folders: Optional(UploadFolders),
  upstream: Optional(Upstream),
  proxy_settings: Optional(Type.Partial(ProxySettings)),
  redirects: Optional(settingsFields.redirects),
  error_pages: Optional(settingsFields.error_pages),
  maintenance: Optional(settingsFields.maintenance),
  directives: Optional(settingsFields.directives),
  shared_subdomains: Optional(settingsFields.shared_subdomains),
}
const SettingsEdit = Type.Object(settingsEdit)
export type SettingsEdit = Static<typeof SettingsEdit>

/** The settings of a new site. */
export const defaultSettings: SiteSettings = {
  php_version: null,
  php_settings: {},
  limits: { memory_mb: 128, max_children: 5, upload_mb: 32, execution_seconds: 30 },
  allowed_limits: { memory_mb: 512, max_children: 20, upload_mb: 512, execution_seconds: 300 },
  upload_folders: ['wp-content/uploads', 'uploads', 'files', 'media'],
  upstream: null,
  upstream_address: null,
  proxy_settings: {
    body_mb: 128,
    timeout_seconds: 60,
    upgrade_seconds: 3600,
    verify_tls: true,
    tls_name: null,
    ca: null,
  },
  redirects: [],
  error_pages: [],
  maintenance: false,
  directives: [],
  shared_subdomains: false,
}

export const WebsiteType = OneOf(['static', 'php', 'proxy'], { description: 'How it is served' })

/** Folders that ask for a password, in replies and in edits. */
export const basicAuth = {
  shown: BasicAuth,
  edit: BasicAuthEdit,
  fields: { folder: protectedFolder, username: Username, password: Password },
}
