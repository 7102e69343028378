import { createHash } from 'node:crypto'
import { pipeline, type Readable } from 'node:stream'
import type { StepKind, StepRun } from '../../../core/change.ts'
import { Problem } from '../../../core/problem.ts'
import { type Owner, ownerProblems } from '../../../host/owner/index.ts'
import { type Listed, withoutDevices } from '../../../tools/tar/index.ts'
import type { BackupParts } from '../step-parts.ts'
import type { SiteName } from '../depot.ts'
import { type Manifest, mostTables, type Part, sizeOf } from '../manifest.ts'
import { type SiteRecord, streamOf } from '../site-record.ts'
import { storePart } from './streams.ts'

export interface PointArgs extends SiteName {
  readonly name: string
  readonly set: string
  readonly user_id: number
  readonly time_mark: string
  readonly files: boolean
  readonly databases: readonly string[]
  /** The backup that this one continues; null for a full one. */
  readonly parent: { readonly name: string; readonly chain: string; readonly position: number } | null
  /** Encrypts every part; null for none. */
  readonly passphrase: string | null
  readonly record: SiteRecord
}

/** What a backup returns. */
export interface WrittenPoint {
  readonly name: string
  readonly size_bytes: number
  readonly complete: boolean
}

/** The step that makes a backup; it is listed once it is complete. */
export function writePoint(on: BackupParts): StepKind<PointArgs, null, WrittenPoint> {
  const { depot } = on
  return {
    name: 'sitebackups.write-point',
    plan: ({ name, domain, files, databases, parent, passphrase }) => ({
      title: `Back up ${domain} as ${name}`,
      details: [
        ...(files
          ? [parent === null ? 'All files' : `The files that have changed since ${parent.name}`]
          : []),
        ...databases.map((database) => `The database ${database}`),
        passphrase === null ? 'It is not encrypted' : 'It is encrypted with the key of the server',
      ],
    }),
    observe: async () => null,
    act: async (args, run) => {
      await depot.begin(args, args.name)
      const manifest = await write(on, args, run)
      await depot.finish(args, manifest)
      return resultOf(manifest)
    },
    undo: async (args) => {
      await depot.remove(args, args.name)
      if (args.files) await removeScratch(on, args)
    },
    notUndone: 'a later backup may continue it: delete it instead',
    check: async (args) => {
      if (await depot.has(args, args.name)) return 'wanted'
      return (await depot.hasUnfinished(args, args.name)) ? 'other' : 'before'
    },
    again: async (args) => {
      const found = (await depot.points(args)).find(({ name }) => name === args.name)
      return found && resultOf(found)
    },
  }
}

const resultOf = (manifest: Manifest): WrittenPoint => ({
  name: manifest.name,
  size_bytes: sizeOf(manifest),
  complete: manifest.complete,
})

async function write(on: BackupParts, args: PointArgs, run: StepRun<null>): Promise<Manifest> {
  const { name, set, username, domain, user_id, time_mark, parent, passphrase } = args
  const chain = parent?.chain ?? name
  const packed = args.files ? await writeFiles(on, args, run) : undefined
  const dumps = await writeDumps(on, args, run)
  const record = await partOf(on, args, {
    kind: 'record',
    plain: 'site.json',
    source: streamOf(args.record),
    run,
  })
  const { listed, changed = 0 } = packed ?? {}
  return {
    ...{ version: 1, name, set, username, domain, user_id, time_mark, chain },
    parent: parent?.name ?? null,
    position: parent === null ? 0 : parent.position + 1,
    encrypted: passphrase !== null,
    key_id: passphrase === null ? null : keyId(chain, passphrase),
    files: listed === undefined ? null : { entries: listed.entries, bytes: listed.bytes, changed },
    databases: [...args.databases],
    complete: (listed?.omittedCount ?? 0) === 0,
    omitted: [...(listed?.omitted ?? [])],
    omitted_count: listed?.omittedCount ?? 0,
    parts: [...(packed?.parts ?? []), ...dumps, record],
  }
}

/** Tells whether a passphrase is the one of a chain. The key is random, so that a digest does not give it away. */
export const keyId = (chain: string, passphrase: string): string =>
  createHash('sha256').update(`${chain}\n${passphrase}`).digest('hex').slice(0, 32)

const scratchOf = ({ name }: Pick<PointArgs, 'name'>): string => `sites/.hostreeve-backup-${name}`

async function writeFiles(
  on: BackupParts,
  args: PointArgs,
  run: StepRun<null>,
): Promise<{ readonly listed: Listed; readonly changed: number; readonly parts: readonly Part[] }> {
  const { owner, uid, home } = await on.homeOf(args.username)
  const [folder, scratch] = [`${home}/sites/${args.domain}`, scratchOf(args)]
  const { signal } = run
  const beganAt = new Date()
  await removeScratch(on, args)
  await owner.mkdir('sites', { recursive: true })
  await owner.mkdir(scratch, { mode: 0o700 })
  try {
    const snapshot = `${scratch}/snapshot`
    if (args.parent !== null)
      await owner.write(snapshot, snapshotOf(on, args, args.parent.name), { mode: 0o600, signal })
    const listed = await on.tools.tar.listEntries(owner, folder, { uid, signal })
    const source = on.tools.tar.pack(owner, { folder, snapshot: `${home}/${snapshot}`, signal })
    const archive = await partOf(on, args, { kind: 'files', plain: `${args.name}.tar.gz`, source, run })
    const changed = await on.tools.tar.countChanged(owner, folder, { since: beganAt, signal })
    return { listed, changed, parts: [archive, await takeSnapshot(on, args, { owner, snapshot, signal })] }
  } finally {
    await removeScratch(on, args)
  }
}

const snapshotOf = ({ depot }: BackupParts, args: PointArgs, parent: string): Readable =>
  pipeline(depot.open(args, parent, 'snapshot'), withoutDevices(), () => {}) // a failure destroys the stream with its reason

/** The snapshot of tar tells the next backup what has changed. */
async function takeSnapshot(
  on: BackupParts,
  args: PointArgs,
  {
    owner,
    snapshot,
    signal,
  }: { readonly owner: Owner; readonly snapshot: string; readonly signal: AbortSignal },
): Promise<Part> {
  const { stream } = await owner.read(snapshot, { end: mostSnapshotBytes })
  const path = `${on.depot.unfinished(args, args.name)}/snapshot`
  return {
    file: 'snapshot',
    kind: 'snapshot',
    ...(await storePart(on, stream, { path, passphrase: null, signal })),
  }
}

const mostSnapshotBytes = 1024 * 1024 * 1024

async function removeScratch(on: BackupParts, args: PointArgs): Promise<void> {
  const { owner } = await on.homeOf(args.username)
  await owner.remove([scratchOf(args)], { recursive: true }).catch(unlessMissing)
}

function unlessMissing(error: unknown): void {
  if (!(error instanceof Problem) || error.kind !== ownerProblems.NoSuchFile) throw error
}

async function writeDumps(on: BackupParts, args: PointArgs, run: StepRun<null>): Promise<readonly Part[]> {
  const parts: Part[] = []
  for (const [at, database] of args.databases.entries()) {
    run.progress(null, `Dumping the database ${database}`)
    const { dump, seeTables, unchangedTables } = on.tools.mariadb
    const seen = await seeTables(database)
    const source = dump(database, run.signal)
    const part = await partOf(on, args, { kind: 'database', plain: `database-${at}.sql.gz`, source, run })
    const tables = await unchangedTables(database, seen)
    parts.push({ ...part, database, tables: tables.slice(0, mostTables) })
  }
  return parts
}

interface NewPart {
  readonly kind: Part['kind']
  /** The name of the file without encryption. */
  readonly plain: string
  readonly source: Parameters<typeof storePart>[1]
  readonly run: StepRun<null>
}

const reportedBytes = 8 * 1024 * 1024

async function partOf(
  on: BackupParts,
  args: PointArgs,
  { kind, plain, source, run }: NewPart,
): Promise<Part> {
  const { passphrase } = args
  const file = passphrase === null ? plain : `${plain}.gpg`
  let reported = 0
  const onBytes = (bytes: number) => {
    if (bytes - reported < reportedBytes) return
    reported = bytes
    run.progress(null, `${file}: ${bytes} bytes were written`)
  }
  const path = `${on.depot.unfinished(args, args.name)}/${file}`
  return { file, kind, ...(await storePart(on, source, { path, passphrase, signal: run.signal, onBytes })) }
}
