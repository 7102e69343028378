import { randomInt } from 'node:crypto'
import { binder } from '../../core/bind.ts'
import { NewPassword } from '../users/index.ts'
import type { Manifest, PasswordReference } from './manifest-model.ts'
import type { ApplyInput, ManifestDraft, ManifestPlan, NewSecret } from './model.ts'
import type { Passwords } from './part.ts'
import { ManifestInvalid } from './problems.ts'

/** Letters and digits need no quoting anywhere, and none looks like another. */
const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const draw = (): string => Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('')

interface Place {
  readonly path: string
  readonly reference: PasswordReference | undefined
}

/** Lists the places of a manifest that a password belongs to. */
function placesOf({ users = [], databases = [] }: Manifest): readonly Place[] {
  return [
    ...users.map(({ password }, at) => ({ path: `users[${at}].password`, reference: password })),
    ...databases.flatMap(({ users: accounts }, at) =>
      accounts.map(({ password }, of) => ({
        path: `databases[${at}].users[${of}].password`,
        reference: password,
      })),
    ),
  ]
}

/** Draws the passwords that have no reference, and takes the values of those that have one. */
export function drawPasswords(
  manifest: Manifest,
  secrets: ManifestDraft['secrets'] = [],
): ApplyInput['passwords'] {
  const sent = new Map(secrets.map(({ path, value }) => [path, value]))
  const places = placesOf(manifest)
  const unknown = secrets.find(({ path }) => !places.some((each) => each.path === path && each.reference))
  if (unknown !== undefined)
    throw ManifestInvalid(`secrets: the manifest has no reference at ${unknown.path}`)
  return places.flatMap(({ path, reference }): ApplyInput['passwords'] => {
    if (reference === undefined) return [{ path, value: draw(), is_drawn: true }]
    const value = sent.get(path)
    return value === undefined ? [] : [{ path, value, is_drawn: false }]
  })
}

/** What became of the passwords while a manifest was decided. */
export interface TakenPasswords extends Passwords {
  readonly shown: NewSecret[]
  readonly references: ManifestPlan['references']
}

const bindUserPassword = binder(NewPassword, 'password')

/** Hands out the passwords. For a plan, those of references are not needed yet. */
export function openPasswords(
  { manifest, passwords }: Pick<ApplyInput, 'manifest' | 'passwords'>,
  { isPlan }: { readonly isPlan: boolean },
): TakenPasswords {
  const known = new Map(passwords.map((password) => [password.path, password]))
  const places = new Map(placesOf(manifest).map(({ path, reference }) => [path, reference]))
  const shown: NewSecret[] = []
  const references: ManifestPlan['references'] = []
  return {
    shown,
    references,
    take: (path, object) => {
      const reference = places.get(path)
      if (reference !== undefined)
        references.push({ path, env: reference.env ?? null, file: reference.file ?? null })
      const found = known.get(path)
      if (found === undefined) {
        if (isPlan) return draw()
        throw ManifestInvalid(`${nameOf(path)}: needs the value of ${sourceOf(reference)} under secrets`)
      }
      if (found.is_drawn) shown.push({ path, object, password: found.value })
      else assertFits(path, found.value)
      return found.value
    },
  }
}

/** The place within the object: the path before it is added to the refusal. */
const nameOf = (path: string): string => path.replace(/^[a-z_]+\[\d+\]\./, '')

const sourceOf = (reference: PasswordReference | undefined): string =>
  reference?.env === undefined ? `the file ${reference?.file}` : `the variable ${reference.env}`

/** The verbs of the areas expect what their endpoints have checked. */
function assertFits(path: string, value: string): void {
  const { issue } = path.startsWith('users[') ? bindUserPassword(value) : { issue: emptyIssue(value) }
  if (issue !== undefined) throw ManifestInvalid(`${nameOf(path)}: ${issue.replace(/^[^:]*: /, '')}`)
}

const emptyIssue = (value: string): string | undefined =>
  value === '' ? 'password: must not be empty' : undefined
