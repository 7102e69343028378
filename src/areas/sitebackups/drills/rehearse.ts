import type { StepRun } from '../../../core/change.ts'
import { Problem } from '../../../core/problem.ts'
import { Depot, type SiteName } from '../depot.ts'
import { chainOf, type Manifest, type Part } from '../manifest.ts'
import { BackupDamaged, PointUnknown } from '../problems.ts'
import { readRecord } from '../site-record.ts'
import type { BackupParts, OwnedHome } from '../step-parts.ts'
import { removeAll } from '../steps/scratch.ts'
import { openPart, verifyPart } from '../steps/streams.ts'
import { compareFiles, compareTables } from './compare.ts'
import type { DrillCheck } from './model.ts'

/** A backup that is restored to see whether it can be. */
export interface DrillArgs extends SiteName {
  readonly job_id: number
  readonly website_id: number
  readonly user_id: number
  readonly name: string
  readonly source: 'local' | 's3'
  readonly hasDatabases: boolean
  readonly passphrase: string | null
}

type Run = Pick<StepRun<null>, 'signal' | 'progress'>

/** A website has one scratch folder in the home, and one for what is fetched from S3. */
const scratchOf = ({ website_id }: DrillArgs) => ({
  folder: `sites/.hostreeve-drill-${website_id}`,
  fetched: `/var/lib/hostreeve/backups/drills/${website_id}`,
  label: String(website_id),
})

/** Removes everything that a drill of the website has made, or left when it was cut off. */
export async function clearDrill(on: BackupParts, args: DrillArgs): Promise<void> {
  const { folder, fetched, label } = scratchOf(args)
  await on.files.removeTree(fetched)
  const { owner } = await on.homeOf(args.username)
  await removeAll(owner, folder)
  if (args.hasDatabases) await on.tools.mariadb.removeRehearsed(label)
}

/** Restores a backup into scratch and compares it with its manifest. What keeps it from being restored is a finding. */
export async function rehearseRestore(
  on: BackupParts,
  args: DrillArgs,
  run: Run,
): Promise<readonly DrillCheck[]> {
  const checks: DrillCheck[] = []
  try {
    await restoreIntoScratch(on, args, { ...run, add: (...found) => void checks.push(...found) })
  } catch (error) {
    run.signal.throwIfAborted()
    if (!(error instanceof Problem)) throw error
    checks.push({
      subject: 'Restore',
      expected: 'the whole backup',
      found: error.message.slice(0, 4000),
      passed: false,
    })
  }
  return checks
}

interface Restoring extends Run {
  readonly add: (...checks: readonly DrillCheck[]) => void
}

async function restoreIntoScratch(on: BackupParts, args: DrillArgs, run: Restoring): Promise<void> {
  const { depot, point, chain } = await openChain(on, args, run)
  const parts = { ...on, depot }
  await verifyChain(parts, args, { chain, run })
  const home = await on.homeOf(args.username)
  await home.owner.mkdir('sites', { recursive: true })
  await home.owner.mkdir(scratchOf(args).folder, { mode: 0o700 })
  if (point.files !== null) run.add(...(await restoreFiles(parts, args, { home, point, chain, run })))
  await restoreDatabases(parts, args, { home, point, run })
}

/** Returns the backup with those that it continues, and where they are; from S3 they are fetched first. */
async function openChain(on: BackupParts, args: DrillArgs, { signal, progress }: Run) {
  const all = args.source === 'local' ? await on.depot.points(args) : await on.copies.points(args, signal)
  const points = all.filter(({ user_id }) => user_id === args.user_id)
  const point = points.find(({ name }) => name === args.name)
  if (point === undefined) throw PointUnknown(`The backup ${args.name} is not there any more`)
  const chain = point.files === null ? [point] : chainOf(points, point)
  if (args.source === 'local') return { depot: on.depot, point, chain }
  const depot = new Depot(on.files, scratchOf(args).fetched)
  for (const { name } of chain) {
    progress(null, `Fetching ${name} from S3`)
    await on.copies.fetch(depot, args, name, signal)
  }
  return { depot, point, chain }
}

interface Verifying {
  readonly chain: readonly Manifest[]
  readonly run: Restoring
}

async function verifyChain(on: BackupParts, args: DrillArgs, { chain, run }: Verifying): Promise<void> {
  const parts = chain.flatMap((point) => point.parts.map((part) => ({ point: point.name, part })))
  for (const [at, { point, part }] of parts.entries()) {
    run.progress((at * 40) / parts.length, `Verifying ${part.file} of ${point}`)
    await verifyPart(on, { site: args, point, part })
    run.signal.throwIfAborted()
  }
  run.add({
    subject: 'Size and SHA-256 of the files of the backup',
    expected: `${parts.length} files of ${chain.length} backups`,
    found: `${parts.length} files as they were written`,
    passed: true,
  })
}

interface OfPoint {
  readonly home: OwnedHome
  readonly point: Manifest
  readonly run: Restoring
}

async function restoreFiles(
  on: BackupParts,
  args: DrillArgs,
  { home: { owner, uid, home }, point, chain, run }: OfPoint & Pick<Verifying, 'chain'>,
): Promise<readonly DrillCheck[]> {
  const { signal } = run
  const folder = `${scratchOf(args).folder}/site`
  await owner.mkdir(folder, { mode: 0o700 })
  for (const each of chain) {
    run.progress(45, `Unpacking ${each.name}`)
    const part = each.parts.find(({ kind }) => kind === 'files')
    if (part === undefined) throw BackupDamaged(`${each.name} has no archive of the files`)
    const { passphrase } = args
    const archive = openPart(on, { site: args, point: each.name, part }, { passphrase, signal })
    await on.tools.tar.unpack(owner, archive, { folder: `${home}/${folder}`, signal })
  }
  run.progress(70, 'Counting what was restored')
  return compareFiles(point, await on.tools.tar.listEntries(owner, `${home}/${folder}`, { uid, signal }))
}

async function restoreDatabases(
  on: BackupParts,
  args: DrillArgs,
  { home: { owner }, point, run }: OfPoint,
): Promise<void> {
  const { signal } = run
  const code = { passphrase: args.passphrase, signal }
  const open = (part: Part) => openPart(on, { site: args, point: point.name, part }, code)
  const part = point.parts.find(({ kind }) => kind === 'record')
  if (part === undefined) throw BackupDamaged(`${point.name} has no settings of the website`)
  const { databases } = await readRecord(open(part))
  const { folder, label } = scratchOf(args)
  for (const dump of point.parts.filter(({ kind }) => kind === 'database')) {
    run.progress(80, `Loading the dump of ${dump.database}`)
    const described = databases.find(({ name }) => name === dump.database)
    if (described === undefined)
      throw BackupDamaged(`The backup does not describe the database ${dump.database}`)
    const { charset, collation } = described
    const path = `${folder}/database.sql.gz`
    await owner.write(path, open(dump), { mode: 0o600, signal })
    const tables = await on.tools.mariadb.rehearse({ label, owner, path, charset, collation, signal })
    run.add(compareTables(dump, tables))
  }
}
