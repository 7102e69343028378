import { randomInt } from 'node:crypto'
import { secretsIn } from './catalog/templates.ts'
import { entryOf } from './catalog/catalog.ts'
import type { ApplicationDraft, InstallInput } from './model.ts'
import { EmailMissing } from './problems.ts'

/** Letters and digits need no quoting anywhere, and none looks like another. */
const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const text = (length: number): string =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('')

/** Returns the input of an installation: its ids and secrets are drawn once for each request. */
export function drawInstall(draft: ApplicationDraft, id: (table: string) => number): InstallInput {
  const entry = entryOf(draft.application)
  if (entry.set_up !== undefined && draft.email === undefined)
    throw EmailMissing(`email: is required: ${entry.name} has an administrator`)
  return {
    ...draft,
    website_id: id('websites'),
    database_id: id('databases'),
    password: text(20),
    database_password: text(32),
    secrets: secretsIn(entry).map((name) => ({ name, value: text(64) })),
  }
}
