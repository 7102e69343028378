import type { Static } from 'typebox'
import { change, type Step, step } from '../../core/change.ts'
import { BadRequest } from '../../core/problem.ts'
import type { WorkEvent } from '../../core/reply.ts'
import { from } from '../../core/returned.ts'
import { readUrl, shownUrl } from '../../host/fetch/index.ts'
import { dumpFolder } from '../../tools/dump-step.ts'
import { loadAnyWebsite, renewedPages } from '../websites/index.ts'
import { type Databases, work } from './context.ts'
import { type ImportBody, type ImportEvent, Imported, ImportInput } from './dump-model.ts'
import { engineOf } from './engines/index.ts'
import { databaseFor, dumpOf } from './export.ts'
import { type DatabaseHome, homeOf, pathInHome, regularFile } from './homes.ts'
import { assertInstalled, databaseLock } from './names.ts'
import { UserMissing } from './problems.ts'
import type { AccountRow, DatabaseRow } from './store.ts'

/** Returns the input of an import; fails if nothing is named that could be imported. */
export function draftImport(
  { id }: DatabaseRow,
  { file, url, safety_dump }: Static<typeof ImportBody>,
): Static<typeof ImportInput> {
  if (file !== undefined && file !== '') return { id, file, safety_dump }
  if (url !== undefined && url !== '') return { id, url: readUrl(url).href, safety_dump }
  throw BadRequest('file or url: one of them is required')
}

/** Imports a dump into a database, as its owner. */
export const importing = work({
  kind: 'databases.import',
  lane: 'files',
  input: ImportInput,
  reply: Imported,
  timeoutMs: 12 * 3_600_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input, caller, jobId = 0, now, databases: on }) => {
    const row = await databaseFor(on, input.id, caller)
    const engine = engineOf(on, row)
    await assertInstalled(engine)
    const home = await homeOf(on, row)
    const definer = await firstUser(on, row)
    const source = await sourceOf(on, home, { ...input, jobId, isAdmin: caller?.user.isAdmin ?? true })
    const safety = input.safety_dump
      ? engine.exportDatabase(dumpOf(row.name, { username: home.username, now, suffix: '-before-import' }))
      : undefined
    const load = engine.importDatabase({
      username: home.username,
      database: row.name,
      file: source.file,
      definer,
      label: `job ${jobId}, ${now.toISOString()}`,
      ...(safety && { safety: from(safety, 'file') }),
    })
    const pages = await pagesOf(on, row)
    return change({
      summary: `Import ${source.shown} into the database ${row.name}`,
      locks: [databaseLock(row.name)],
      steps: [...source.steps, ...(safety ? [safety] : []), ...pages('before'), load, ...pages('after')],
      reply: { statements: from(load, 'statements') },
    })
  },
})

/** Pages that are kept of the website show what was in the database before. */
async function pagesOf(
  { websites }: Databases,
  { website_id: id }: DatabaseRow,
): Promise<(when: 'before' | 'after') => readonly Step[]> {
  if (id === null) return () => []
  const site = await loadAnyWebsite(websites, id)
  return (when) => renewedPages(websites, site, when)
}

/** The account of the site, to which views and routines belong. */
async function firstUser(
  { queries }: Databases,
  { id, name }: DatabaseRow,
): Promise<Pick<AccountRow, 'username' | 'host'>> {
  const [account] = await queries.accountsOf([id])
  if (account === undefined)
    throw UserMissing(`id: ${name} has no user to whom its views and routines could belong: add one`)
  return { username: account.username, host: account.host }
}

interface Named {
  readonly file?: string
  readonly url?: string
  readonly jobId: number
  readonly isAdmin: boolean
}

interface Source {
  readonly file: string
  readonly shown: string
  /** The steps that bring it into the home. */
  readonly steps: readonly Step[]
}

async function sourceOf(
  { fileSteps }: Databases,
  home: DatabaseHome,
  { file, url = '', jobId, isAdmin }: Named,
): Promise<Source> {
  if (file !== undefined) {
    const path = pathInHome(home, file)
    await regularFile(home.owner, path)
    return { file: path, shown: path, steps: [] }
  }
  const { username } = home
  const folder = { field: 'url', path: dumpFolder }
  const download = step(fileSteps.download, { username, folder, url, name: `import-${jobId}`, isAdmin })
  const mkdir = step(fileSteps.mkdir, { username, path: folder, recursive: true })
  return { file: from(download, 'file'), shown: shownUrl(readUrl(url)), steps: [mkdir, download] }
}

const cancelled = 'Cancelled: without a safety dump, the statements that had run stay'

/** Returns an event of an import as the contract shows it. */
export function importEvent(event: WorkEvent<Static<typeof Imported>>): ImportEvent {
  if (event.type === 'done') return { type: 'done', message: 'Import successful' }
  if (event.type === 'failed')
    return { type: 'error', message: event.outcome === 'cancelled' ? cancelled : event.message }
  return { type: 'progress', message: event.message }
}
