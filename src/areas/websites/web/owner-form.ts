import Type, { type TObject, type TProperties } from 'typebox'
import { OneOf, UnixName } from '../../../core/schemas.ts'
import type { FieldTexts, FieldValues } from '../../../web/kit/schema-fields.ts'
import { UserDraft } from '../../users/model.ts'
import { WebsiteDraft } from '../model.ts'

// Choices of the owner that are no Linux accounts: these names are none, as they contain a space.
export const newOwner = 'new owner'
export const oneself = 'own account'

/** The signed-in user, as far as the choice of an owner depends on it. */
export interface Person {
  readonly id: number
  readonly email: string
  readonly username: string | null
}

interface Hosting {
  readonly username: string | null
  readonly fullname: string
  readonly is_suspended: boolean
}

/** The body of the form: a website, and the account or the user that has to be created for it first. */
export interface OwnedDraft extends WebsiteDraft {
  readonly email?: string
  readonly fullname?: string
  readonly account?: string
  /** The Linux account of the superuser who creates the website. */
  readonly own_account?: string
  readonly password?: string
}

const { email, fullname, password } = UserDraft.properties
const isNew = (values: FieldValues) => values['username'] === newOwner
const isOneself = (values: FieldValues) => values['username'] === oneself
const accountText = { label: 'Linux account', hint: 'Created on this host; owns the files' }

const isOfType = (type: WebsiteDraft['type']) => (values: FieldValues) => values['type'] === type

/** The texts of a website's type and of what each type needs. */
export const typeText: FieldTexts = {
  type: {
    label: 'Type',
    labels: { static: 'Static files', php: 'PHP', proxy: 'Proxy' },
    first: 'static',
  },
  php_version: { label: 'PHP version', hint: 'Leave blank for the newest', when: isOfType('php') },
  upstream: {
    label: 'Upstream',
    hint: 'Such as http://192.0.2.7:3000 or https://app.example.com',
    when: isOfType('proxy'),
  },
}

/** The choice of no template; a template of this name cannot be chosen. */
export const noZone = 'no DNS zone'

/** The choice of a template for the DNS zone; absent on a host that keeps no zones. */
const zoneField = (templates: readonly string[]): TProperties =>
  templates.length === 0
    ? {}
    : { dns_template: OneOf([noZone, ...templates], { expects: 'a template from the list' }) }

const siteTextOf = (templates: readonly string[]): FieldTexts => ({
  ...typeText,
  dns_template: {
    label: 'DNS zone',
    hint: 'Created on this host from a template, for a domain that has its DNS here',
    labels: { ...Object.fromEntries(templates.map((name) => [name, name])), [noZone]: 'None' },
    first: noZone,
  },
})

/** Returns the schema and the texts of the form in which a superuser creates a website for an owner. */
export function ownerForm(
  me: Person,
  { items: users, total }: { readonly items: readonly Hosting[]; readonly total: number },
  templates: readonly string[] = [],
): { readonly schema: TObject; readonly text: FieldTexts } {
  const others = users.filter(({ username, is_suspended }) => username !== null && !is_suspended)
  const labels: Record<string, string> = Object.fromEntries(
    others.map((user) => [user.username, `${user.username} (${user.fullname})`]),
  )
  if (me.username === null) labels[oneself] = 'Me, with a new Linux account'
  labels[newOwner] = 'New owner …'
  const { domain, type, php_version, upstream, aliases } = WebsiteDraft.properties
  const zone = zoneField(templates)
  if (total > users.length) {
    // more users than a list can show: their accounts are typed
    const text = {
      ...siteTextOf(templates),
      username: { label: 'Owner', hint: 'Linux account of the hosting user', first: me.username ?? '' },
    }
    const fields = { domain, username: UnixName, type, php_version, upstream, aliases }
    return { schema: Type.Object({ ...fields, ...zone }), text }
  }
  const owner = OneOf(Object.keys(labels) as [string, ...string[]], { expects: 'an owner from the list' })
  const first = me.username ?? (others.length === 0 ? oneself : '')
  const schema = Type.Object({
    domain,
    username: owner,
    email,
    fullname,
    account: UnixName,
    password,
    own_account: UnixName,
    type,
    php_version,
    upstream,
    aliases,
    ...zone,
  })
  const text = {
    ...siteTextOf(templates),
    username: { label: 'Owner', hint: 'The hosting user whose files are served', labels, first },
    email: { label: 'E-mail', hint: 'Used to sign in', when: isNew },
    fullname: { when: isNew },
    account: { ...accountText, when: isNew },
    own_account: { ...accountText, first: accountFor(me.email), when: isOneself },
    password: { hint: 'At least 10 characters', when: isNew },
  }
  return { schema, text }
}

/** Names of roles, not of people; the host may reserve them. */
const roles = new Set('admin administrator hostmaster info mail postmaster root webmaster'.split(' '))

/** Returns a Linux account name that resembles an e-mail address; empty if nothing of it can be part of one. */
export function accountFor(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@')
  const name = roles.has(local) ? (domain.split('.')[0] ?? '') : local
  return name
    .replaceAll(/[^a-z0-9_-]/g, '')
    .replace(/^[^a-z_]+/, '')
    .slice(0, 32)
}
