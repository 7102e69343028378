import type { StepKind } from '../../../core/change.ts'
import type { Files } from '../../files.ts'
import type { InstallProgress, Packages } from '../../packages.ts'

interface InstallArgs {
  readonly packages: readonly string[]
  /** The directories of the program's data: named by the tool, never by a caller. */
  readonly dataDirectories: readonly string[]
}

interface InstallBefore {
  /** All packages of the host, to distinguish new dependencies from packages that were already installed. */
  readonly installed: readonly string[]
  readonly dataDirectories: readonly string[]
}

const phases = {
  lists: 'Reading the package lists',
  download: 'Downloading',
  install: 'Installing',
} as const

interface Host {
  readonly packages: Packages
  readonly files: Files
}

/**
 * Makes steps that install a program. Undo removes the new packages and the data directories that they created; configuration stays, as a
 * purge may delete data that existed before. A kill during dpkg is completed by recovery.
 */
export function installStep(
  { packages, files }: Host,
  { name, title }: { readonly name: string; readonly title: string },
): StepKind<InstallArgs, InstallBefore, null> {
  const presentOf = async (directories: readonly string[]) => {
    const present: string[] = []
    for (const path of directories) if ((await files.facts(path)) !== undefined) present.push(path)
    return present
  }
  const look = async ({ dataDirectories }: InstallArgs): Promise<InstallBefore> => ({
    installed: await packages.installed(),
    dataDirectories: await presentOf(dataDirectories),
  })
  return {
    name,
    plan: ({ packages: names }) => ({
      title: `Install ${title}`,
      commands: [['apt-get', 'install', '--', ...names]],
    }),
    observe: look,
    act: async ({ packages: names }, { signal, progress, output }) => {
      const installed = new Set(await packages.installed())
      const onProgress = ({ phase, done, total }: InstallProgress) =>
        progress(Math.round((done / total) * 100), `${phases[phase]}: ${names.join(', ')}`)
      if (!names.every((each) => installed.has(each)))
        await packages.install(names, { signal, onProgress, onLine: output })
      return null
    },
    notUndone: 'other programs may use the packages by now',
    orphans: 'await',
    recover: () => packages.finish(),
    undo: async (args, before) => {
      await packages.finish().catch(() => {}) // packages whose set-up fails are removed as well
      await packages.remove(await broughtBy(packages, args, before))
      for (const path of args.dataDirectories)
        if (!before.dataDirectories.includes(path)) await files.removeTree(path)
    },
    check: async (args, before) => {
      const now = await look(args)
      if (args.packages.every((each) => now.installed.includes(each))) return 'wanted'
      const brought = now.installed.filter((each) => !before.installed.includes(each))
      return brought.length === 0 && now.dataDirectories.length === before.dataDirectories.length
        ? 'before'
        : 'other'
    },
  }
}

/** Returns the named packages and those that apt installed for them; a package that someone else installed in the meantime is marked as manually installed. */
async function broughtBy(
  packages: Packages,
  { packages: names }: InstallArgs,
  before: InstallBefore,
): Promise<readonly string[]> {
  const were = new Set(before.installed)
  const fresh = (await packages.unpacked()).filter((each) => !were.has(each))
  const automatic = new Set(await packages.automatic())
  return fresh.filter((each) => names.includes(each) || automatic.has(each))
}
