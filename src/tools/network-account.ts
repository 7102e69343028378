import type { RunOptions } from '../host/run.ts'

const nobody = 65_534
const rawSockets = '-all,+net_raw'

/**
 * The argument list that runs a program as nobody with the one capability that packets need, CAP_NET_RAW
 * (setpriv(1)). A panel that is not root has no other account to choose.
 */
export function withRawSockets(argv: readonly [string, ...string[]]): readonly [string, ...string[]] {
  if (process.getuid?.() !== 0) return argv
  return [
    'setpriv',
    `--reuid=${nobody}`,
    `--regid=${nobody}`,
    '--clear-groups',
    '--no-new-privs',
    `--inh-caps=${rawSockets}`,
    `--ambient-caps=${rawSockets}`,
    `--bounding-set=${rawSockets}`,
    '--',
    ...argv,
  ]
}

/** Runs a program that needs no privilege as nobody. */
export const asNobody = (): Pick<RunOptions, 'as'> =>
  process.getuid?.() === 0 ? { as: { uid: nobody, gid: nobody } } : {}

/** The owner of a file that such a program is to write. */
export const rawSocketOwner = (): { readonly uid?: number; readonly gid?: number } =>
  process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
