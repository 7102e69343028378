import type { StepKind } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import {
  directory,
  nodePath,
  packagesOf,
  pendingPath,
  programPath,
  versionDirectory,
  versionsDirectory,
} from './layout.ts'
import { InstallFailed } from './problems.ts'

type Installing = Pick<Host, 'run' | 'files'>

interface ReleaseArgs {
  readonly version: string
}

const installLimits = { timeoutMs: 20 * 60_000, maxBytes: 256 * 1024 }

/** True if a version is whole: it has its name only once npm has written all of it. */
export async function isInstalled({ files }: Pick<Host, 'files'>, version: string): Promise<boolean> {
  return (await files.facts(programPath(version))) !== undefined
}

/** The step that installs a version of OpenClaw, with the Node that it needs, owned by root, beside the one in use. */
export function installRelease({ run, files }: Installing): StepKind<ReleaseArgs, boolean, null> {
  const fresh = (version: string) => `${versionsDirectory}/.new-${version}`
  const freshly = (path: string, version: string) => path.replace(versionDirectory(version), fresh(version))
  const cache = `${directory}/cache`
  return {
    name: 'openclaw.install-release',
    plan: ({ version }) => ({
      title: `Install OpenClaw ${version} with npm`,
      details: ['Its scripts are not run, and only root can write to it'],
      commands: [['npm', 'install', '--ignore-scripts', '--', ...packagesOf(version)]],
    }),
    observe: ({ version }) => isInstalled({ files }, version),
    act: async ({ version }, { signal, progress }) => {
      if (await isInstalled({ files }, version)) return null
      progress(null, `Install OpenClaw ${version}`)
      await files.makeDirectory(directory, { mode: 0o755 })
      await files.makeDirectory(versionsDirectory, { mode: 0o755 })
      await files.removeTree(fresh(version))
      await files.makeDirectory(fresh(version), { mode: 0o755 })
      await install(run, { version, to: files.real(fresh(version)), cache: files.real(cache), signal })
      await files.removeTree(cache) // it is as large as the version itself
      for (const path of [programPath(version), nodePath(version)])
        if ((await files.facts(freshly(path, version))) === undefined)
          throw InstallFailed(`npm has not written ${path}`)
      await files.remove(freshly(pendingPath(version), version))
      await files.move(fresh(version), versionDirectory(version))
      return null
    },
    undo: async ({ version }, wasThere) => {
      for (const left of [cache, fresh(version)]) await files.removeTree(left)
      if (!wasThere) await files.removeTree(versionDirectory(version))
    },
    check: async ({ version }) => ((await isInstalled({ files }, version)) ? 'wanted' : 'before'),
  }
}

interface Install extends ReleaseArgs {
  readonly to: string
  readonly cache: string
  readonly signal: AbortSignal
}

async function install(run: Host['run'], { version, to, cache, signal }: Install): Promise<void> {
  const { code, stderr, stdout } = await run(
    [
      'npm',
      'install',
      '--prefix',
      to,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--no-update-notifier',
      '--',
      ...packagesOf(version),
    ],
    { ...installLimits, signal, env: { npm_config_cache: cache, HOME: '/root' } },
  )
  signal.throwIfAborted()
  if (code === 127) throw InstallFailed('npm is not installed')
  if (code !== 0)
    throw InstallFailed(`npm: ${(stderr.trim() || stdout.trim() || `exit status ${code}`).slice(-2000)}`)
}

/** The step that removes a version that is no longer in use. */
export const removeRelease = ({ files }: Pick<Host, 'files'>): StepKind<ReleaseArgs, null, null> =>
  finalStep<ReleaseArgs>({
    name: 'openclaw.remove-release',
    plan: ({ version }) => ({ title: `Remove OpenClaw ${version}` }),
    why: 'the version must be installed again',
    act: async ({ version }) => {
      await files.removeTree(versionDirectory(version))
      return null
    },
    isDone: async ({ version }) => (await files.facts(versionDirectory(version))) === undefined,
  })

/** Asks npm for the newest version. */
export async function newestVersion(run: Host['run']): Promise<string> {
  const { code, stdout, stderr } = await run(['npm', 'view', '--json', '--', 'openclaw', 'version'], {
    timeoutMs: 60_000,
    maxBytes: 64 * 1024,
    env: { HOME: '/root' },
  })
  if (code === 127) throw InstallFailed('npm is not installed')
  const version = /^"([^"]{1,40})"$/.exec(stdout.trim())?.[1]
  if (code !== 0 || version === undefined)
    throw InstallFailed(`npm: ${(stderr.trim() || `exit status ${code}`).slice(-2000)}`)
  return version
}
