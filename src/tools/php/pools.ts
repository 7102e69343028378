import { digestOf } from '../../host/files.ts'
import { tool } from '../tool.ts'
import { openPhp, type PhpProgram } from './master.ts'
import { packagesInArchive, usualPackages } from './archive.ts'
import { editedIni, editIni } from './edit-ini.ts'
import { packageSteps } from './package-steps.ts'
import { iniPath, isVersion, masterPath, poolsDirectory, socketOf } from './pool.ts'
import { setPools } from './pool-step.ts'
import { renderPool } from './render-pool.ts'
import { iniFiles, reportedDirectives } from './report.ts'

export type { PhpProgram }

export interface PhpPoolsOptions {
  /** A stand-in for the running php-fpm. */
  readonly program?: PhpProgram
}

/** The pools of sites and their masters; each version of PHP is a program of its own. */
export const phpPools = tool({
  name: 'php-pools',
  title: 'PHP of websites',
  packages: [],
  isOptional: true,
  open: ({ host }, options: PhpPoolsOptions = {}) => ({ program: options.program ?? openPhp(host) }),
  /** Starts masters that stopped while no service system looks after them. */
  reconcile: async ({ host: { files }, program }) => {
    if (await program.hasUnits()) return
    const failures: unknown[] = []
    for (const version of await files.list('/etc/php')) {
      if (!isVersion(version)) continue
      for (const name of await files.list(`/etc/php/${version}/fpm/hostreeve`)) {
        if (!name.endsWith('.conf')) continue
        const master = { version, username: name.slice(0, -'.conf'.length) }
        const hasPools = (await files.list(poolsDirectory(master))).length > 0
        if (!hasPools || !masterPath(master).endsWith(name) || (await program.isRunning(master))) continue
        await program.start(master).catch((error: unknown) => failures.push(error)) // the others are started
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, String(failures[0]))
  },
  steps: (parts) => ({
    setPools: setPools(parts),
    editIni: editIni(parts.host),
    ...packageSteps(parts.host),
  }),
  verbs: ({ host }) => ({
    renderPool,
    socketOf,
    iniPath,
    usualPackages,
    /** The packages of PHP that the package lists have, by version. */
    inArchive: () => packagesInArchive(host),
    /** The versions of PHP whose php-fpm is installed, the newest first. */
    versions: async (): Promise<readonly string[]> =>
      (await host.files.list('/usr/sbin'))
        .flatMap((name) => /^php-fpm(\d\.\d{1,2})$/.exec(name)?.[1] ?? [])
        .toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true })),
    /** The files of a version in the order in which PHP reads them. */
    iniFiles: (version: string) => iniFiles(host, version),
    /** The value of every directive, as PHP reports it: with its files, or without any. */
    directives: (version: string, ini: 'as installed' | 'none') => reportedDirectives(host, version, ini),
    /** A digest of php.ini, with these values where there are any; pools that carry it are reloaded for it. */
    iniDigest: async (version: string, settings: Readonly<Record<string, string>> = {}): Promise<string> =>
      digestOf(editedIni((await host.files.readBytes(iniPath(version))) ?? '', settings)).slice(0, 16),
  }),
})

export type PhpPools = ReturnType<typeof phpPools.open>
