import type { StepKind, StepRun } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import type { InstallProgress } from '../../host/packages.ts'

interface UpdateArgs {
  /** The packages with the versions that they are to have. */
  readonly updates: readonly { readonly name: string; readonly current: string; readonly candidate: string }[]
  /** Packages whose set-up is completed on the way. */
  readonly unfinished: readonly string[]
}

interface UpdateBefore {
  /** Those of them that were installed as dependencies: apt forgets it of a package that is named. */
  readonly automatic: readonly string[]
}

const phases = {
  lists: 'Fetching the package lists',
  download: 'Downloading the updates',
  install: 'Installing the updates',
} as const

/** The share of the work that is over when the first package is set up. */
const percentBefore = 50

/** The step that installs updates. dpkg is never broken off: a panel that was started since awaits it. */
export function installUpdates(packages: Host['packages']): StepKind<UpdateArgs, UpdateBefore, null> {
  const updating = finalStep<UpdateArgs, UpdateBefore>({
    name: 'updates.install',
    plan: ({ updates, unfinished }) => ({
      title: `Update ${counted(updates.length, 'package')}`,
      details: [
        'Configuration files that were edited stay; packages on hold are not updated; no package is removed',
        ...(unfinished.length === 0 ? [] : [`Completes the set-up of ${unfinished.join(', ')}`]),
        ...updates.map(({ name, current, candidate }) => `${name}: ${current} to ${candidate}`),
      ],
      commands: [
        ['apt-get', '--no-remove', '--only-upgrade', 'install', '--', ...updates.map(({ name }) => name)],
      ],
    }),
    why: 'the archives may no longer have the former versions',
    observe: async ({ updates }) => {
      const automatic = new Set(await packages.automatic())
      return { automatic: updates.map(({ name }) => name).filter((name) => automatic.has(name)) }
    },
    act: async ({ updates, unfinished }, run) => {
      const names = updates.map(({ name }) => name)
      if (unfinished.length > 0) await packages.finish()
      if (names.length === 0) return null
      try {
        await packages.upgrade(names, { signal: run.signal, ...reportedTo(run, names.length) })
      } finally {
        await packages.markAutomatic(run.before.automatic)
      }
      return null
    },
    isDone: async ({ updates, unfinished }) => {
      const names = updates.map(({ name }) => name)
      const [pending, broken] = await Promise.all([packages.updates(), packages.unfinished()])
      if ([...names, ...unfinished].some((name) => broken.includes(name))) return undefined
      const left = pending.filter(({ name }) => names.includes(name)).length
      const isUntouched = left === names.length && unfinished.length === 0 // `recover` completes these
      return left === 0 || (isUntouched ? false : undefined)
    },
  })
  return {
    ...updating,
    orphans: 'await',
    recover: async (_args, { automatic }) => {
      await packages.markAutomatic(automatic)
      await packages.finish()
    },
  }
}

/** The phases, and then the packages as dpkg sets them up. */
function reportedTo({ progress, output }: Pick<StepRun<unknown>, 'progress' | 'output'>, total: number) {
  let done = 0
  return {
    onProgress: ({ phase, done: over, total: all }: InstallProgress) =>
      progress(Math.round((over / all) * percentBefore), phases[phase]),
    onLine: (line: string) => {
      output(line)
      const name = /^Setting up (\S+)/.exec(line)?.[1]
      if (name === undefined) return
      done = Math.min(done + 1, total)
      progress(percentBefore + Math.round((done / total) * (100 - percentBefore)), `Set up ${name}`)
    },
  }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
