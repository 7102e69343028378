import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import { change, step } from '../../core/change.ts'
import { NotFound } from '../../core/problem.ts'
import { hashOf } from '../../tools/mariadb/index.ts'
import { loadAnyWebsite, loadWebsite } from '../websites/index.ts'
import { work } from './context.ts'
import { fileDatabase } from './databases.ts'
import { engineOf } from './engines/index.ts'
import { CopyInput, Database, type DatabaseCopyDraft } from './model.ts'
import { assertInstalled, databaseLock } from './names.ts'
import { CopyingAlready, NotCopied } from './problems.ts'
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
    const { queries, websites, mariadb } = on
    const source =
      caller === null ? await queries.load(input.source_id) : await queries.loadFor(caller, input.source_id)
    const site =
      caller === null
        ? await loadAnyWebsite(websites, input.website_id)
        : await loadWebsite(websites, input.website_id, caller)
    assertCopied(source)
    await assertInstalled(mariadb)
    const filed = await fileDatabase(on, site, { ...input, engine: engineOf(on, source), now })
    const found = (await mariadb.findDatabases([source.name])).get(source.name)
    if (found === undefined) throw NotFound(`id: the server has no database ${source.name} any more`)
    const { name } = filed.row
    const { charset, collation } = found
    const { username } = filed.account
    const { setAccount, copyDatabase } = mariadb.steps
    const account = { ...filed.account, database: name }
    const { label, temporary: password } = input
    return change({
      summary: `Copy the database ${source.name} to ${name}`,
      locks: [...filed.locks, databaseLock(source.name)],
      steps: [
        step(setAccount, { ...account, hash: hashOf(password) }),
        step(copyDatabase, { source: source.name, name, charset, collation, label, username, password }),
        step(setAccount, { ...account, hash: input.hash }),
      ],
      rows: filed.rows,
      reply: showDatabase(filed.row, { domain: site.domain, accounts: [filed.account], found }),
    })
  },
})

function assertCopied({ name, engine }: DatabaseRow): void {
  if (engine === 'mariadb') return
  throw NotCopied(`id: ${name} is not on MariaDB: export it, and import the file into another database`)
}
