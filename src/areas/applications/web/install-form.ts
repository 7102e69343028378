import Type, { type TObject, type TProperties } from 'typebox'
import { Email, OneOf } from '../../../core/schemas.ts'
import type { FieldTexts } from '../../../web/kit/schema-fields.ts'
import { ApplicationDraft, type CatalogApplication } from '../model.ts'

/** The signed-in user, as far as the form depends on them. */
export interface Person {
  readonly email: string
  readonly username: string | null
  readonly is_admin: boolean
}

/** A hosting user who may own the website. */
export interface PossibleOwner {
  readonly username: string
  readonly fullname: string
}

/** Returns the form of an application: who signs in to nothing names no administrator, and only superusers choose an owner. */
export function installForm(
  app: Pick<CatalogApplication, 'has_administrator' | 'type'>,
  me: Person,
  owners: readonly PossibleOwner[],
): { readonly schema: TObject; readonly text: FieldTexts } {
  const { domain, title, administrator, php_version, certificate } = ApplicationDraft.properties
  const labels = Object.fromEntries(
    owners.map(({ username, fullname }) => [username, `${username} (${fullname})`]),
  )
  const [first, ...others] = Object.keys(labels)
  const owner: TProperties =
    me.is_admin && first !== undefined
      ? { username: OneOf([first, ...others], { expects: 'an owner from the list' }) }
      : {}
  const schema = Type.Object({
    domain,
    ...owner,
    title,
    ...(app.has_administrator && { email: Email, administrator }),
    ...(app.type === 'php' && { php_version }),
    certificate,
  })
  return {
    schema,
    text: {
      domain: { label: 'Domain', hint: 'Such as www.example.com; the website is created' },
      username: {
        label: 'Owner',
        hint: 'The hosting user who gets the files',
        labels,
        first: me.username ?? (others.length === 0 ? (first ?? '') : ''),
      },
      title: { label: 'Title', hint: 'Leave blank for the domain' },
      email: { label: 'E-mail of the administrator', first: me.email },
      administrator: { label: 'User name of the administrator', hint: 'Leave blank for admin' },
      php_version: { label: 'PHP version', hint: 'Leave blank for the newest' },
      certificate: {
        label: 'Certificate',
        hint: 'It can be issued later, too',
        labels: { auto: 'If the domain leads to this host', none: 'None' },
        first: 'auto',
      },
    },
  }
}
