import { Readable } from 'node:stream'
import Type from 'typebox'
import { change, type Step, step } from '../../core/change.ts'
import { Forbidden } from '../../core/problem.ts'
import { from } from '../../core/returned.ts'
import type { Caller } from '../../core/caller.ts'
import { databaseLock, restoredDatabase } from '../databases/index.ts'
import { loadWebsite, type LoadedWebsite, renewedPages, websiteLocks } from '../websites/index.ts'
import { pointStep } from './back-up.ts'
import { clearUp } from './clear-up.ts'
import { type Backups, work } from './context.ts'
import type { SiteName } from './depot.ts'
import { backupLock } from './locks.ts'
import type { Manifest, Part } from './manifest.ts'
import { BackupDamaged, PassphraseRequired, PointUnknown, RestoringAlready } from './problems.ts'
import { readRecord, type RecordedDatabase, type SiteRecord } from './site-record.ts'
import { RestoreInput } from './restore-input.ts'
import { inspect } from './inspect.ts'
import { missingSite } from './missing-site.ts'
import { archivesOf, dumpsOf, fetchSteps, findRestorable, type Restorable } from './restorable.ts'
import { safetySet } from './sets.ts'
import { dumpPath, exists } from './steps/scratch.ts'
import { decoded, openPart } from './steps/streams.ts'

interface Asked {
  readonly restore_files: boolean
  readonly restore_database: boolean
  readonly source?: 'local' | 's3'
  readonly passphrase?: string
  readonly for_inspection?: boolean
}

/** Returns the input of a restore; without a choice, files and databases are restored. */
export function draftRestore(
  point: Manifest,
  { restore_files, restore_database, source, passphrase, for_inspection = false }: Asked,
  id: (table: string) => number,
): RestoreInput {
  const isAll = !restore_files && !restore_database
  const { username, domain, name, databases } = point
  return {
    ...{ username, domain, name },
    restore_files: isAll || restore_files,
    restore_database: isAll || restore_database,
    ...(source === 's3' && { source }),
    ...(passphrase !== undefined && passphrase !== '' && { passphrase }),
    ...(for_inspection && { for_inspection }),
    website_id: id('websites'),
    database_ids: databases.map(() => id('databases')),
  }
}

interface Deciding {
  readonly input: RestoreInput
  readonly caller: Caller | null
  readonly now: Date
  readonly signal: AbortSignal
  readonly jobId: number | undefined
  readonly backups: Backups
}

const shared = {
  lane: 'files',
  input: RestoreInput,
  reply: Type.Object({ domain: Type.String() }),
  timeoutMs: 12 * 3_600_000,
  attempts: 1,
  resumes: false,
  single: RestoringAlready,
} as const

/** Restores a website from a backup. A failure leaves it as it was. */
export const restoring = work({
  ...shared,
  kind: 'sitebackups.restore',
  decide: (request) => decideRestore(request),
})

/** Restores one of all websites; its jobs are the progress of the restore of all. */
export const restoringInBulk = work({
  ...shared,
  kind: 'sitebackups.restore-in-bulk',
  decide: (request) => decideRestore(request),
})

async function decideRestore(request: Deciding) {
  const { input, caller, backups: on, now, jobId = 0 } = request
  if (caller === null) throw Forbidden()
  const restorable = await findRestorable(on, input, request.signal)
  const { point, chain } = restorable
  const record = await openRecord(on, restorable, input.passphrase, request.signal)
  const known = await siteOf(on, input, caller)
  if (input.for_inspection === true) return inspect(on, known, { input, restorable, jobId })
  const made =
    known === undefined
      ? await missingSite(on, { input, record, caller, now, signal: request.signal })
      : undefined
  const site = known ?? made?.site
  if (site === undefined) throw PointUnknown()
  const scratch = `.hostreeve-restore-${jobId}`
  const target = { username: site.username, domain: site.domain, scratch }
  const files = input.restore_files && point.files !== null
  const dumps = input.restore_database ? dumpsOf(point) : []
  const loads = await databaseSteps(on, { site, record, dumps, request, scratch })
  const safety =
    known === undefined ? [] : await stepsBefore(on, known, { files, databases: dumps.length > 0, now })
  return change({
    summary: `Restore ${input.domain} from ${input.name}`,
    locks: [
      backupLock(input),
      ...(made?.locks ?? websiteLocks([site.domain])),
      ...loads.flatMap(({ locks }) => locks),
      ...dumps.map(({ database = '' }) => databaseLock(database)),
    ].filter((each, index, all) => all.indexOf(each) === index),
    steps: [
      ...fetchSteps(on, input, restorable),
      ...safety,
      ...(made?.steps ?? []),
      step(on.steps.unpack, {
        ...target,
        ...(restorable.isAside && { fetched: String(jobId) }),
        archives: files ? archivesOf(chain) : [],
        dumps: dumps.map((part) => ({ point: point.name, part })),
        passphrase: input.passphrase ?? null,
      }),
      ...(files ? [step(on.steps.swap, target)] : []),
      ...loads.flatMap(({ steps }) => steps),
      ...(made?.last ?? []),
      ...(known === undefined ? [] : renewedPages(on.websites, known, 'after')),
    ],
    jobs: [clearUp(target, caller.user.id)],
    rows: [...(made?.rows ?? []), ...loads.flatMap(({ rows }) => rows)],
    reply: { domain: input.domain },
  })
}

/** Fails before anything is done if the passphrase is missing or wrong. */
async function openRecord(
  on: Backups,
  { point, chain, missing }: Restorable,
  passphrase: string | undefined,
  signal: AbortSignal,
): Promise<SiteRecord> {
  if (chain.some(({ encrypted }) => encrypted) && passphrase === undefined)
    throw PassphraseRequired(
      'passphrase: the backup is encrypted: enter the passphrase that it was made with',
    )
  const part = point.parts.find(({ kind }) => kind === 'record')
  if (part === undefined) throw BackupDamaged(`${point.name} has no settings of the website`)
  const code = { passphrase: passphrase ?? null, signal }
  if (!missing.includes(point))
    return readRecord(openPart(on, { site: point, point: point.name, part }, code))
  const stored = Readable.from([await on.copies.read(point, point.name, part, signal)])
  return readRecord(decoded(on, part, stored, code))
}

async function siteOf(
  { websites, queries }: Backups,
  { username, domain }: SiteName,
  caller: Caller,
): Promise<LoadedWebsite | undefined> {
  const row = (await queries.sites()).find((site) => site.domain === domain)
  if (row === undefined) return undefined
  if (row.username !== username)
    throw PointUnknown(`username: ${domain} belongs to ${row.username} by now, and the backup to ${username}`)
  return loadWebsite(websites, row.id, caller)
}

/** The state before a restore, so that it can be restored in turn; the folder and its logs, where they are lost with the host. */
async function stepsBefore(
  on: Backups,
  site: LoadedWebsite,
  { files, databases, now }: { readonly files: boolean; readonly databases: boolean; readonly now: Date },
): Promise<readonly Step[]> {
  const { username, domain } = site
  const { owner } = await on.homeOf(username)
  const isThere = await exists(owner, `sites/${domain}`)
  const logs = on.nginx.logDirectory(domain)
  const made = files && !isThere ? [step(on.websites.folders.make, { username, domain, logs })] : []
  const hasFiles = files && isThere
  if (!hasFiles && !databases) return made
  const safety = { name: safetySet, files: hasFiles, databases, now, isSingle: true }
  return [...made, await pointStep(on, site, safety), ...renewedPages(on.websites, site, 'before')]
}

interface Loading {
  readonly site: LoadedWebsite
  readonly record: SiteRecord
  readonly dumps: readonly Part[]
  readonly request: Deciding
  readonly scratch: string
}

/** Returns for each dump the steps that replace the database by it, from which a failure goes back to what it was. */
async function databaseSteps(on: Backups, { site, record, dumps, request, scratch }: Loading) {
  const { input, now, jobId = 0 } = request
  const { exportDatabase, importDatabase } = on.tools.mariadb.steps
  return Promise.all(
    dumps.map(async (part, at) => {
      const described = describedBy(record, part)
      const id = input.database_ids[at] ?? 0
      const { isPresent, definer, ...ready } = await restoredDatabase(on.databases, site, described, {
        id,
        now,
      })
      const safety = isPresent
        ? step(exportDatabase, {
            username: site.username,
            database: described.name,
            name: `${described.name}-before-restore-${jobId}`,
          })
        : undefined
      const load = step(importDatabase, {
        username: site.username,
        database: described.name,
        file: dumpPath(scratch, at),
        definer,
        label: `restore ${jobId}, ${now.toISOString()}`,
        replaces: true,
        ...(safety && { safety: from(safety, 'file') }),
      })
      return { ...ready, steps: [...ready.steps, ...(safety === undefined ? [] : [safety]), load] }
    }),
  )
}

function describedBy(record: SiteRecord, { database }: Part): RecordedDatabase {
  const found = record.databases.find(({ name }) => name === database)
  if (found === undefined) throw BackupDamaged(`The backup does not describe the database ${database}`)
  return found
}
