import Type, { type TObject } from 'typebox'
import { Optional } from '../../../core/schemas.ts'
import type { FieldTexts } from '../../../web/kit/schema-fields.ts'
import type { Website, WebsiteEdit } from '../model.ts'
import { basicAuth, phpDirective, settingsEdit } from '../settings-model.ts'

type Draft = Readonly<Record<string, unknown>>

/** One card of the settings: its form, what it shows at first, and the body that it sends. */
export interface SettingsForm {
  readonly title: string
  readonly about?: string
  readonly schema: TObject
  readonly text?: FieldTexts
  readonly given: Draft
  readonly bodyOf: (draft: Draft) => WebsiteEdit
}

const asItIs = (draft: Draft): WebsiteEdit => draft as WebsiteEdit
const { folder, username, password } = basicAuth.fields

const Directives = Type.Object({
  php_settings: Optional(
    Type.Array(Type.Object({ name: phpDirective.name, value: phpDirective.value }), { maxItems: 50 }),
  ),
})

const Users = Type.Object({
  users: Optional(
    Type.Array(Type.Object({ folder, username, password: Optional(password) }), {
      maxItems: 500,
      description: 'Each may see the folder and everything below it',
    }),
  ),
})

const phpText: FieldTexts = {
  php_version: { label: 'PHP version' },
  upload_folders: { label: 'Folders without PHP' },
  'limits.memory_mb': { label: 'Memory in MiB', hint: 'Of one request' },
  'limits.max_children': { label: 'Requests at a time' },
  'limits.upload_mb': { label: 'Upload in MiB', hint: 'Largest request body' },
  'limits.execution_seconds': { label: 'Time in seconds', hint: 'Of one request' },
}

const proxyText: FieldTexts = {
  upstream: { hint: 'Such as http://192.0.2.7:3000 or https://app.example.com' },
  proxy_settings: { label: 'Connection' },
  'proxy_settings.body_mb': { label: 'Upload in MiB', hint: 'Largest request body; default 128' },
  'proxy_settings.timeout_seconds': { label: 'Time in seconds', hint: 'Longest wait for the upstream' },
  'proxy_settings.upgrade_seconds': {
    label: 'WebSocket silence in seconds',
    hint: 'A WebSocket is closed after this silence; default 3,600, an hour',
  },
  'proxy_settings.verify_tls': { label: 'Verify the certificate of an https upstream' },
  'proxy_settings.tls_name': {
    label: 'Name in the certificate',
    hint: 'Of an https upstream, and of SNI; leave blank for the one in its address',
  },
  'proxy_settings.ca': {
    label: 'Certificate authorities',
    hint: 'PEM, for an https upstream with a certificate of your own; leave blank for those that the host trusts',
    rows: 4,
  },
}

const redirectText: FieldTexts = {
  'redirects.from': { hint: 'Path such as /old' },
  'redirects.prefix': {
    label: 'With everything below',
    hint: 'The rest of the path and the query follow the target',
  },
}

/** Returns the forms of the settings that a website of its type has. */
export function settingsForms(website: Website, isForSuperuser: boolean): readonly SettingsForm[] {
  return [
    ...(website.type === 'php' ? phpForms(website) : []),
    ...proxyForms(website),
    ...commonForms(website),
    ...(isForSuperuser && website.type === 'php' ? [allowedForm(website)] : []),
    ...(isForSuperuser ? [subdomainsForm(website)] : []),
  ]
}

const allowedForm = (website: Website): SettingsForm => ({
  title: 'Allowed limits',
  about: `The most that ${website.username} may choose for PHP. What is set already stays.`,
  schema: Type.Object({ allowed_limits: settingsEdit.allowed_limits }),
  text: {
    allowed_limits: { label: 'At most' },
    'allowed_limits.memory_mb': { label: 'Memory in MiB', hint: 'Of one request' },
    'allowed_limits.max_children': { label: 'Requests at a time' },
    'allowed_limits.upload_mb': { label: 'Upload in MiB', hint: 'Largest request body' },
    'allowed_limits.execution_seconds': { label: 'Time in seconds', hint: 'Of one request' },
  },
  given: website,
  bodyOf: asItIs,
})

const subdomainsForm = (website: Website): SettingsForm => ({
  title: 'Names below',
  about: `They get the cookies of ${website.domain} and may set them.`,
  schema: Type.Object({ shared_subdomains: settingsEdit.shared_subdomains }),
  text: { shared_subdomains: { label: `Other owners may have names below ${website.domain}` } },
  given: website,
  bodyOf: asItIs,
})

function phpForms({ username: owner, php_settings, ...website }: Website): readonly SettingsForm[] {
  const { php_version, limits, upload_folders } = settingsEdit
  return [
    {
      title: 'PHP',
      about: `PHP runs as ${owner}, and reads and writes in the folder of this website. That is no border between two websites of one owner: those that must not see each other have different owners.`,
      schema: Type.Object({ php_version, limits, upload_folders }),
      text: phpText,
      given: website,
      bodyOf: asItIs,
    },
    {
      title: 'Directives of php.ini',
      schema: Directives,
      text: { php_settings: { label: 'Directives' } },
      given: { php_settings: Object.entries(php_settings).map(([name, value]) => ({ name, value })) },
      bodyOf: ({ php_settings: rows = [] }) => ({
        php_settings: Object.fromEntries(
          (rows as readonly { readonly name: string; readonly value: string }[]).map(({ name, value }) => [
            name,
            value,
          ]),
        ),
      }),
    },
  ]
}

function proxyForms(website: Website): readonly SettingsForm[] {
  if (website.type !== 'proxy') return []
  const { upstream, proxy_settings } = settingsEdit
  return [
    {
      title: 'Proxy',
      about: 'Its name is resolved when it is saved: save it again when its address changes.',
      schema: Type.Object({ upstream, proxy_settings }),
      text: proxyText,
      given: website,
      bodyOf: asItIs,
    },
  ]
}

function commonForms(website: Website): readonly SettingsForm[] {
  const { maintenance, redirects, error_pages, directives } = settingsEdit
  return [
    {
      title: 'Maintenance',
      schema: Type.Object({ maintenance }),
      text: { maintenance: { label: 'Under maintenance' } },
      given: website,
      bodyOf: asItIs,
    },
    {
      title: 'Redirects',
      schema: Type.Object({ redirects }),
      text: redirectText,
      given: website,
      bodyOf: asItIs,
    },
    { title: 'Error pages', schema: Type.Object({ error_pages }), given: website, bodyOf: asItIs },
    {
      title: 'Passwords',
      about: 'A stored password is not shown again; one that is left empty stays.',
      schema: Users,
      given: {
        users: website.basic_auth.flatMap((each) =>
          each.users.map((user) => ({ folder: each.folder, username: user.username })),
        ),
      },
      bodyOf: ({ users = [] }) => ({ basic_auth: foldersOf(users as readonly FolderUser[]) }),
    },
    {
      title: 'Directives of nginx',
      about: 'Owners may use add_header, autoindex, charset, etag, expires and gzip; superusers any.',
      schema: Type.Object({ directives }),
      given: website,
      bodyOf: asItIs,
    },
  ]
}

interface FolderUser {
  readonly folder: string
  readonly username: string
  readonly password?: string
}

const foldersOf = (rows: readonly FolderUser[]): NonNullable<WebsiteEdit['basic_auth']> =>
  [...Map.groupBy(rows, (row) => row.folder)].map(([path, users]) => ({
    folder: path,
    users: users.map(({ username: name, password: given }) => ({
      username: name,
      ...(given !== undefined && given !== '' && { password: given }),
    })),
  }))
