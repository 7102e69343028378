import type { StepKind } from '../../core/change.ts'
import { poll } from '../../core/poll.ts'
import type { Host } from '../../host/index.ts'
import type { Installation } from '../deps.ts'
import { UpdateFailed } from './problems.ts'
import { resultIn, resultPath } from './result.ts'

type Switching = Pick<Host, 'releases' | 'detached' | 'files'> & {
  readonly installation: Installation | undefined
  readonly dataDir: string
}

interface Before {
  readonly clock: string
  readonly version: string
}

const clockPrefix = 'selfupdate-'
/** The watcher must be armed by then, and must read of this process before it is replaced. */
const armMs = 1500
const watchedMs = 120_000

/** Makes the kind of step that switches to another version and replaces the panel by it, watched from outside. */
export function switchStep(on: Switching): StepKind<{ version: string }, Before, null> {
  const { releases, detached, installation } = on
  const folder = installation?.folder ?? ''
  return {
    name: 'selfupdate.switch',
    plan: ({ version }) => ({
      title: `Restart the panel as version ${version}`,
      details: ['It returns to this version unless the new one is ready within 30 seconds'],
    }),
    observe: async () => ({
      clock: `${clockPrefix}${Date.now()}`,
      version: (await releases.current(folder)) ?? '',
    }),
    act: async ({ version }, { before, progress, signal }) => {
      if (installation === undefined) throw UpdateFailed('This panel runs from a checkout')
      await startWatcher(on, folder, { version, before })
      signal.throwIfAborted()
      await releases.switchTo(folder, version)
      progress(95, `Restart as version ${version}`)
      const watches = async () => ((await on.files.read(watchingPath(on))) === undefined ? undefined : true)
      const isWatched = await poll(watches, { limitMs: 10_000, everyMs: 50 })
      if (!isWatched) throw UpdateFailed('The watcher of the update did not start')
      await installation.replace()
      return null
    },
    undo: async (_args, { version, clock }) => {
      await detached.disarm(clock, 'undone')
      if ((await releases.current(folder)) !== version) await releases.switchTo(folder, version)
    },
    recover: (args, before) => untilWatched(on, args, before),
    check: async ({ version }, before) => {
      const current = await releases.current(folder)
      if (current === before.version) return 'before'
      return current === version ? 'wanted' : 'other'
    },
    notUndone: 'hostreeve rollback returns to the version before',
  }
}

/** The file that the watcher writes once it has read how this process was started. */
const watchingPath = ({ dataDir }: Switching) => `${dataDir}/selfupdate.watching`

async function startWatcher(
  on: Switching,
  folder: string,
  { version, before }: { readonly version: string; readonly before: Before },
): Promise<void> {
  const { detached, files, dataDir } = on
  const former = `${folder}/versions/${before.version}`
  const watcher = [`${former}/bin/node`, `${former}/dist/hostreeve.mjs`, 'watch-update'] as const
  for (const name of await detached.names()) if (name.startsWith(clockPrefix)) await detached.remove(name)
  await files.remove(watchingPath(on))
  await detached.start(before.clock, new Date(Date.now() + armMs))
  const told = [dataDir, before.version, version, String(process.pid)]
  if (!(await detached.arm(before.clock, 0, [...watcher, ...told])))
    throw UpdateFailed('The watcher of the update could not be started')
}

/** Waits for the watcher, and fails with its reason where it has returned to the former version. */
async function untilWatched(
  { detached, files, dataDir }: Switching,
  { version }: { readonly version: string },
  { clock }: Before,
): Promise<void> {
  const hasEnded = async () => ((await detached.isRunning(clock)) ? undefined : true)
  await poll(hasEnded, { limitMs: watchedMs, everyMs: 200 })
  const result = resultIn(await files.read(resultPath(dataDir)))
  const isOfThis = result?.to === version && Date.parse(result.at) > Number(clock.slice(clockPrefix.length))
  if (isOfThis && result.state === 'rolled_back') throw UpdateFailed(result.message)
}
