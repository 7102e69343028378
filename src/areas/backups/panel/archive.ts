import Type, { type Static } from 'typebox'
import { compiled } from '../../../core/compiled.ts'
import { digestOf } from '../../../host/files.ts'
import { ArchiveRefused, unpack } from '../../../host/releases/index.ts'
import { withoutDatabase } from './database-setting.ts'
import type { PanelParts } from './parts.ts'
import { BackupFailed, RestoreFailed } from './problems.ts'
import { accountNames } from './store.ts'

const Manifest = Type.Object({
  format: Type.Literal(1),
  version: Type.String({ maxLength: 100 }),
  hostname: Type.String({ maxLength: 255 }),
  created_at: Type.String({ maxLength: 40 }),
  accounts: Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10_000 }),
  programs: Type.Array(Type.String({ maxLength: 200 }), { maxItems: 1000 }),
  /** The files beside the database, with their SHA-256. */
  files: Type.Record(Type.String(), Type.String({ maxLength: 64 })),
})
export type Manifest = Static<typeof Manifest>
const manifest = compiled(Manifest)

const storeName = 'hostreeve.db'
const manifestName = 'manifest.json'
const tarMs = 1_800_000

/** Packs what a fresh host needs into a gzipped archive; `scratch` is an empty folder that only root can read. */
export async function packArchive(
  on: PanelParts,
  scratch: string,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  const { files, run, store } = on
  await store.copyTo(files.real(`${scratch}/${storeName}`))
  const found = await filesOf(on)
  for (const [name, bytes] of found) {
    await files.makeDirectory(parentOf(`${scratch}/${name}`), { mode: 0o700 })
    await files.write(`${scratch}/${name}`, bytes, { rights: { mode: 0o600 } })
  }
  await files.write(`${scratch}/${manifestName}`, JSON.stringify(await manifestOf(on, found)))
  const names = [manifestName, storeName, ...found.keys()]
  const argv = [
    'tar',
    '--create',
    '--gzip',
    '--format=ustar',
    '--owner=0',
    '--group=0',
    `--file=${files.real(to)}`,
    `--directory=${files.real(scratch)}`,
    '--',
    ...names,
  ] as const
  const { code, stderr } = await run(argv, { timeoutMs: tarMs, signal })
  signal.throwIfAborted()
  if (code !== 0) throw BackupFailed(`tar: ${stderr.trim().slice(-500)}`)
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

/** Reads the files beside the store, which are small: keys, certificates and settings. */
async function filesOf({ files, places }: PanelParts): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>()
  const add = async (name: string, path: string) => {
    if ((await files.facts(path))?.kind !== 'file') return
    const bytes = (await files.readBytes(path)) ?? ''
    found.set(name, Buffer.from(name === 'config.toml' ? withoutDatabase(bytes) : bytes, 'latin1'))
  }
  for (const [name, path] of Object.entries(places)) {
    if ((await files.facts(path))?.kind !== 'directory') await add(name, path)
    else for (const each of await files.list(path)) await add(`${name}/${each}`, `${path}/${each}`)
  }
  return found
}

async function manifestOf(on: PanelParts, found: ReadonlyMap<string, Buffer>): Promise<Manifest> {
  return {
    format: 1,
    version: on.version,
    hostname: on.hostname(),
    created_at: new Date().toISOString(),
    accounts: [...(await accountNames(on.store))],
    programs: [...(await presentPrograms(on))],
    files: Object.fromEntries([...found].map(([name, bytes]) => [name, digestOf(bytes)])),
  }
}

/** Returns the names of the programs that this host has. */
export async function presentPrograms({
  programs,
}: Pick<PanelParts, 'programs'>): Promise<readonly string[]> {
  const found = await Promise.all(programs.map(async (each) => ({ each, state: await each.detect() })))
  return found.flatMap(({ each, state }) => (state.present && each.packages.length > 0 ? [each.name] : []))
}

/** Unpacks an archive into an empty folder, and refuses one in which anything is not as a backup has it. */
export async function unpackArchive(
  on: PanelParts,
  {
    archive,
    into,
    signal,
  }: { readonly archive: string; readonly into: string; readonly signal: AbortSignal },
): Promise<Manifest> {
  const { files } = on
  try {
    await unpack({ archive: files.real(archive), directory: files.real(into), signal })
  } catch (error) {
    if (error instanceof ArchiveRefused) throw RestoreFailed(error.message, { cause: error })
    throw error
  }
  const manifest = readManifest(await files.read(`${into}/${manifestName}`))
  const expected = new Set([manifestName, storeName, ...Object.keys(manifest.files)])
  for (const name of await namesBelow(on, into))
    if (!expected.has(name)) throw RestoreFailed(`the archive contains ${name}, which no backup has`)
  if ((await files.facts(`${into}/${storeName}`))?.kind !== 'file')
    throw RestoreFailed(`the archive contains no ${storeName}`)
  for (const [name, sha256] of Object.entries(manifest.files)) {
    if (placeOf(on, name) === undefined)
      throw RestoreFailed(`the archive contains ${name}, which no backup has`)
    const bytes = Buffer.from((await files.readBytes(`${into}/${name}`)) ?? '', 'latin1')
    if (digestOf(bytes) !== sha256)
      throw RestoreFailed(`the archive is damaged: ${name} is not what was backed up`)
  }
  return manifest
}

function readManifest(text: string | undefined): Manifest {
  try {
    const value: unknown = JSON.parse(text ?? '')
    if (manifest.Check(value)) return value
  } catch {
    // told below
  }
  throw RestoreFailed('the archive is no backup of the panel: it has no manifest')
}

async function namesBelow({ files }: PanelParts, folder: string): Promise<readonly string[]> {
  const names: string[] = []
  for (const name of await files.list(folder)) {
    const facts = await files.facts(`${folder}/${name}`)
    if (facts?.kind !== 'directory') names.push(name)
    else for (const each of await files.list(`${folder}/${name}`)) names.push(`${name}/${each}`)
  }
  return names
}

/** Returns where a file of an archive belongs; undefined for one that no backup has. */
export function placeOf({ places, dataDir }: PanelParts, name: string): string | undefined {
  if (name === storeName) return `${dataDir}/${storeName}`
  const [folder = '', file, ...more] = name.split('/')
  const place = Object.hasOwn(places, folder) ? places[folder] : undefined
  if (place === undefined || more.length > 0) return undefined
  if (file !== undefined && ['', '.', '..'].includes(file)) return undefined
  return file === undefined ? place : `${place}/${file}`
}
