import { tool } from '../tool.ts'
import { openPhp, type PhpProgram } from './master.ts'
import { masterPath, poolsDirectory, socketOf } from './pool.ts'
import { setPool } from './pool-step.ts'
import { renderPool } from './render-pool.ts'

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
      if (!/^\d\.\d$/.test(version)) continue
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
  steps: (parts) => ({ set: setPool(parts) }),
  verbs: ({ host }) => ({
    renderPool,
    socketOf,
    /** The versions of PHP whose php-fpm is installed, the newest first. */
    versions: async (): Promise<readonly string[]> =>
      (await host.files.list('/usr/sbin'))
        .flatMap((name) => /^php-fpm(\d\.\d)$/.exec(name)?.[1] ?? [])
        .toSorted()
        .toReversed(),
  }),
})

export type PhpPools = ReturnType<typeof phpPools.open>
