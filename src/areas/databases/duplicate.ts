import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import { change } from '../../core/change.ts'
import { hashOf } from '../../tools/mariadb/index.ts'
import { loadAnyWebsite, loadWebsite } from '../websites/index.ts'
import { work } from './context.ts'
import { copiedDatabase } from './copied.ts'
import { CopyInput, Database, type DatabaseCopyDraft } from './model.ts'
import { CopyingAlready } from './problems.ts'
import { showDatabase } from './show.ts'
import { type DatabaseRow, databases } from './store.ts'

/** Returns the input of a copy: the random values are drawn once for each request, and the password is not kept. */
export const draftCopy = (
  { id: source_id }: DatabaseRow,
  { password, ...draft }: Static<typeof DatabaseCopyDraft>,
  id: (table: string) => number,
): Static<typeof CopyInput> => ({
  ...draft,
  source_id,
  id: id(databases.name),
  hash: hashOf(password),
  temporary: randomBytes(18).toString('base64url'),
  label: randomBytes(9).toString('base64url'),
})

/** Copies a database to a new one with a user of its own, who loads the copy and owns its views and routines. */
export const duplicating = work({
  kind: 'databases.duplicate',
  lane: 'files',
  input: CopyInput,
  reply: Database,
  timeoutMs: 12 * 3_600_000,
  attempts: 1,
  resumes: false,
  single: CopyingAlready,
  decide: async ({ input, caller, now, databases: on }) => {
    const { queries, websites } = on
    const source =
      caller === null ? await queries.load(input.source_id) : await queries.loadFor(caller, input.source_id)
    const site =
      caller === null
        ? await loadAnyWebsite(websites, input.website_id)
        : await loadWebsite(websites, input.website_id, caller)
    const copy = await copiedDatabase(on, source, site, { ...input, now })
    return change({
      summary: `Copy the database ${source.name} to ${copy.row.name}`,
      locks: copy.locks,
      steps: copy.steps,
      rows: copy.rows,
      reply: showDatabase(copy.row, { domain: site.domain, accounts: [copy.account], found: copy.found }),
    })
  },
})
