import type { StepKind } from '../../../core/change.ts'
import { Problem } from '../../../core/problem.ts'
import { restoreFolder, type RestoredFile } from '../../../store/restored.ts'
import { type Manifest, placeOf, presentPrograms, unpackArchive } from './archive.ts'
import { withPresentDatabase } from './database-setting.ts'
import { isEncrypted, typeOf } from './names.ts'
import type { PanelParts } from './parts.ts'
import { PassphraseRequired, RestoreFailed } from './problems.ts'

/** What this host lacks of what the backed up one had. */
export interface Missing {
  readonly missing_accounts: string[]
  readonly missing_programs: string[]
}

const restartMs = 3000

/** Makes the kind of step that prepares a backup, so that the next start of the panel begins with it, and restarts the panel. */
export function stageStep(
  on: PanelParts,
): StepKind<{ readonly filename: string }, null, Missing, string | undefined> {
  const { files, dataDir } = on
  const [folder, scratch] = [restoreFolder(dataDir), `${dataDir}/.restoring`]
  let timer: NodeJS.Timeout | undefined
  return {
    name: 'backups.stage',
    plan: ({ filename }) => ({
      title: `Replace the store, the keys and the settings of the panel by those of ${filename}`,
      details: ['The panel restarts with them'],
    }),
    observe: async () => null,
    act: async ({ filename }, { live, signal }) => {
      await files.removeTree(scratch)
      await files.makeDirectory(scratch, { mode: 0o700 })
      try {
        const manifest = await prepare(on, filename, { scratch, passphrase: live, signal })
        const missing = await missingOf(on, manifest)
        await files.removeTree(folder)
        await files.move(`${scratch}/content`, folder)
        timer = setTimeout(() => void on.restart?.(), restartMs).unref()
        return missing
      } finally {
        await files.removeTree(scratch)
      }
    },
    undo: async () => {
      clearTimeout(timer)
      await files.removeTree(scratch)
      await files.removeTree(folder)
    },
    check: async () => ((await files.facts(`${folder}/files.json`)) ? 'wanted' : 'before'),
    notUndone: 'the backup that was made before is restored instead',
  }
}

interface Preparing {
  readonly scratch: string
  readonly passphrase: string | undefined
  readonly signal: AbortSignal
}

/** Checks everything of a backup before anything of this panel is touched. */
async function prepare(
  on: PanelParts,
  filename: string,
  { scratch, passphrase, signal }: Preparing,
): Promise<Manifest | undefined> {
  const { files, directory, gpg, store } = on
  const content = `${scratch}/content`
  let path = `${directory}/${filename}`
  if (isEncrypted(filename)) {
    if (passphrase === undefined) throw PassphraseRequired()
    await gpg.decryptFile({ passphrase, from: path, to: `${scratch}/plain`, signal })
    path = `${scratch}/plain`
  }
  await files.makeDirectory(content, { mode: 0o700 })
  const manifest =
    typeOf(filename) === 'db'
      ? await takeStore(on, { path, content, signal })
      : await unpackArchive(on, { archive: path, into: content, signal })
  await keepDatabase(on, content).catch((error: unknown) => {
    throw RestoreFailed(`config.toml cannot be used: ${messageOf(error)}`, { cause: error })
  })
  await store.tryOpening(files.real(content)).catch((error: unknown) => {
    throw RestoreFailed(`the database cannot be used: ${messageOf(error)}`, { cause: error })
  })
  const names = ['hostreeve.db', ...(manifest === undefined ? [] : Object.keys(manifest.files))]
  const placed: readonly RestoredFile[] = names.map((name) => ({
    name,
    path: files.real(placeOf(on, name) ?? ''),
  }))
  await files.write(`${content}/files.json`, JSON.stringify(placed), { rights: { mode: 0o600 } })
  return manifest
}

/** A restore does not change where the store is: the other database may contain newer rows, or those of another panel. */
async function keepDatabase({ files, places }: PanelParts, content: string): Promise<void> {
  const path = `${content}/config.toml`
  const restored = await files.read(path)
  if (restored === undefined) return
  const present = (await files.read(places['config.toml'] ?? '')) ?? ''
  await files.write(path, withPresentDatabase(restored, present), { rights: { mode: 0o600 } })
}

const messageOf = (error: unknown): string =>
  (error instanceof Problem && error.cause instanceof Error ? error.cause : (error as Error)).message.slice(
    0,
    500,
  )

interface Taking {
  readonly path: string
  readonly content: string
  readonly signal: AbortSignal
}

/** A database alone is opened with the key of this panel. */
async function takeStore(on: PanelParts, { path, content, signal }: Taking): Promise<undefined> {
  const { files, places } = on
  const opened = await files.open(path)
  if (opened === undefined) throw RestoreFailed('there is no such backup')
  await files.store(`${content}/hostreeve.db`, opened.stream, signal)
  const key = await files.read(places['secret.key'] ?? '')
  if (key !== undefined) await files.write(`${content}/secret.key`, key, { rights: { mode: 0o600 } })
}

async function missingOf(on: PanelParts, manifest: Manifest | undefined): Promise<Missing> {
  if (manifest === undefined) return { missing_accounts: [], missing_programs: [] }
  const present = new Set(await presentPrograms(on))
  const accounts = await Promise.all(
    manifest.accounts.map(async (name) => ((await on.accounts.find(name)) === undefined ? [name] : [])),
  )
  return {
    missing_accounts: accounts.flat(),
    missing_programs: manifest.programs.filter((name) => !present.has(name)),
  }
}
