import { randomBytes } from 'node:crypto'
import type { Caller } from '../../core/caller.ts'
import { change, type Step, step } from '../../core/change.ts'
import type { Lock } from '../../core/lock.ts'
import { Forbidden } from '../../core/problem.ts'
import { from } from '../../core/returned.ts'
import { hashOf } from '../../tools/mariadb/index.ts'
import { databaseLock } from '../databases/index.ts'
import { backupLock, pointStep, safetySet } from '../sitebackups/index.ts'
import { loadWebsite, type LoadedWebsite, renewedPages, websiteLocks } from '../websites/index.ts'
import { addressesOf, assertSamePrefix, foldersOf, wordpressDatabase } from './application.ts'
import { clearUp } from './clear-up.ts'
import { type Staging, work } from './context.ts'
import { type PushDraft, Pushed, PushInput } from './model.ts'
import { NotACopy, NotStageable, OriginMissing, StagingAlready, TablesFixed } from './problems.ts'
import { stagingCopies } from './store.ts'

const drawn = () => randomBytes(18).toString('base64url')

/** Returns the input of a push: its secrets are drawn once for each request. */
export const drawPush = ({ id: website_id }: LoadedWebsite, draft: PushDraft): PushInput => ({
  ...draft,
  website_id,
  temporary: drawn(),
  label: drawn(),
})

/** Replaces a website by its staging copy. One that does not answer as before is put back. */
export const pushing = work({
  kind: 'staging.push',
  lane: 'files',
  input: PushInput,
  reply: Pushed,
  timeoutMs: 12 * 3_600_000,
  attempts: 1,
  resumes: false,
  single: StagingAlready,
  decide: async ({ input, caller, now, jobId = 0, staging: on }) => {
    if (caller === null) throw Forbidden()
    const { copy, live } = await pairOf(on, input.website_id, caller)
    const { username, domain } = live
    const scratch = `.hostreeve-push-${jobId}`
    const files = input.parts !== 'database'
    const database = input.parts === 'files' ? undefined : await databaseOf(on, { copy, live, input, jobId })
    const safety = await pointStep(on.backups, live, {
      ...{ name: safetySet, files, databases: database !== undefined, now, isSingle: true },
    })
    const kept = input.kept_paths ?? (input.parts === 'files' ? ['wp-content/uploads'] : [])
    const swap = step(on.steps.swapFiles, { username, from: copy.domain, to: domain, scratch, kept })
    const visited = { domain, isTls: live.certificate !== null }
    const before = (await on.visit(visited)) ?? null
    return change({
      summary: `Push the staging copy ${copy.domain} to ${domain}`,
      locks: [backupLock(live), ...websiteLocks([domain, copy.domain]), ...(database?.locks ?? [])],
      steps: [
        safety,
        ...(database?.first ?? []),
        ...renewedPages(on.websites, live, 'before'),
        ...(files ? [swap] : []),
        ...(database?.last ?? []),
        ...renewedPages(on.websites, live, 'after'),
        step(on.steps.checkSite, { ...visited, before }),
      ],
      details: database?.details ?? [],
      jobs: [clearUp({ username, to: domain, scratch, databases: database?.left ?? [] }, caller.user.id)],
      rows: [stagingCopies.updateWhere({ website_id: copy.id }, { pushed_at: now.toISOString() })],
      reply: { website_id: live.id, domain, parts: input.parts, safety_backup: from(safety, 'name') },
    })
  },
})

interface Pair {
  readonly copy: LoadedWebsite
  readonly live: LoadedWebsite
}

/** Loads a copy and its origin in the scope of a caller. */
async function pairOf({ queries, websites }: Staging, copyId: number, caller: Caller): Promise<Pair> {
  const copy = await loadWebsite(websites, copyId, caller)
  const row = await queries.find(copyId)
  if (row === undefined) throw NotACopy(`id: ${copy.domain} is no staging copy`)
  if (row.origin_id === null) throw OriginMissing(`id: the origin of ${copy.domain} was deleted`)
  const live = await loadWebsite(websites, row.origin_id, caller)
  if (live.user_id !== copy.user_id)
    throw OriginMissing(`id: ${live.domain} belongs to another owner than ${copy.domain} by now`)
  return { copy, live }
}

interface OfPush extends Pair {
  readonly input: PushInput
  readonly jobId: number
}

interface DatabasePush {
  readonly locks: readonly Lock[]
  readonly details: readonly string[]
  /** Prepare what comes. */
  readonly first: readonly Step[]
  /** Replaces what is there. */
  readonly last: readonly Step[]
  /** Databases that are left afterwards, each with an account of its name. */
  readonly left: readonly string[]
}

/** Returns what replaces the tables of the origin. They are prepared in a database of their own, so that no visitor sees half of them. */
async function databaseOf(on: Staging, { copy, live, input, jobId }: OfPush): Promise<DatabasePush> {
  const [source, target] = [await wordpressDatabase(on, copy), await wordpressDatabase(on, live)]
  const version = copy.settings.php_version
  if (source === undefined || target === undefined || version === null)
    throw NotStageable('parts: without WordPress in both websites, files alone are pushed')
  const { kept_tables: kept = [], temporary: password, label } = input
  if (source.id === target.id)
    throw NotStageable(`parts: ${copy.domain} and ${live.domain} use the same database ${source.name}`)
  if (target.website_id !== live.id)
    throw NotStageable(
      `parts: the database ${target.name} is not one of ${live.domain}, so that no backup of it has the former tables: push files alone, or associate the database with the website`,
    )
  await assertSamePrefix(on, copy, live)
  const details = await tablesOf(on, { source: source.name, target: target.name, kept })
  const found = (await on.mariadb.findDatabases([source.name])).get(source.name)
  if (found === undefined) throw NotStageable(`parts: the server has no database ${source.name} any more`)
  const { charset, collation } = found
  const [name, former] = [`hostreeve_push_${jobId}`, `hostreeve_former_${jobId}`]
  const { setAccount, copyDatabase, swapTables } = on.mariadb.steps
  const { username } = live
  return {
    locks: [databaseLock(source.name), databaseLock(target.name)],
    details,
    first: [
      step(setAccount, { username: name, host: 'localhost', database: name, hash: hashOf(password) }),
      step(copyDatabase, {
        ...{ source: source.name, name, charset, collation, label, username: name, password },
      }),
      step(on.steps.replaceAddresses, {
        ...{ username, version, database: name, account: name, password },
        ...addressesOf(copy, live),
        ...foldersOf(copy, live),
      }),
    ],
    last: [step(swapTables, { from: name, into: target.name, former, kept: [...kept] })],
    left: [name, former],
  }
}

interface Tables {
  readonly source: string
  readonly target: string
  readonly kept: readonly string[]
}

/** Tells what becomes of the tables of the origin, or refuses what cannot be moved. */
async function tablesOf({ mariadb }: Staging, { source, target, kept }: Tables): Promise<readonly string[]> {
  const [ofCopy, ofLive] = [await mariadb.listMovable(source), await mariadb.listMovable(target)]
  const obstacle = [...ofCopy.obstacles, ...ofLive.obstacles][0]
  if (obstacle !== undefined)
    throw TablesFixed(`parts: ${obstacle} cannot change places: push files alone, or remove it first`)
  const cut = [...ofCopy.references, ...ofLive.references].find(
    ({ table, refers }) => kept.includes(table) !== kept.includes(refers),
  )
  if (cut !== undefined)
    throw TablesFixed(
      `kept_tables: ${cut.table} has a foreign key to ${cut.refers}: keep both of them, or neither`,
    )
  const unknown = kept.find((name) => !ofLive.tables.includes(name))
  if (unknown !== undefined) throw TablesFixed(`kept_tables: ${target} has no table ${unknown}`)
  const replaced = ofCopy.tables.filter((name) => !kept.includes(name))
  if (replaced.length === 0) throw TablesFixed(`parts: ${source} has no tables to push`)
  const removed = ofLive.tables.filter((name) => !kept.includes(name) && !ofCopy.tables.includes(name))
  return [
    `Tables that are replaced: ${replaced.join(', ')}`,
    ...(removed.length > 0
      ? [`Tables that the copy does not have, which are removed: ${removed.join(', ')}`]
      : []),
  ]
}
