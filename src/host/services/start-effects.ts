import type { Run } from '../run.ts'
import type { StartEffects } from './driver.ts'
import { parseShow } from './unit.ts'

const properties = [
  'Id',
  'SuccessAction',
  'FailureAction',
  'Requires',
  'Wants',
  'BindsTo',
  'Conflicts',
  'StandardInput',
]
const limits = { timeoutMs: 15_000, maxBytes: 256 * 1024 }

/** Targets that end the host or leave it to a single user (systemd.special(7)). */
const endingTargets =
  /^(shutdown|final|poweroff|reboot|halt|kexec|soft-reboot|exit|rescue|emergency|sleep|suspend|hibernate|hybrid-sleep|suspend-then-hibernate)\.target$/
/** What only a program does, and no property of its unit tells. */
const endingUnits =
  /^systemd-(suspend|hibernate|hybrid-sleep|suspend-then-hibernate|soft-reboot|exit)\.service$/
/** Units that load any kernel module, or start the processes of any account. */
const openingUnits = /^(modprobe|user|user-runtime-dir)@/

/** Reads what the start of a unit does to the host. */
export async function startEffectsOf(run: Run, name: string): Promise<StartEffects> {
  const argv = ['systemctl', 'show', `--property=${properties.join(',')}`, '--', name] as const
  const unit = parseShow((await run(argv, limits)).stdout)[0] ?? {}
  const listed = (key: string) => (unit[key] ?? '').split(' ').filter(Boolean)
  const id = unit['Id'] ?? name
  return {
    endsHost:
      endingUnits.test(id) ||
      isAction(unit['SuccessAction']) ||
      ['Requires', 'Wants', 'BindsTo'].some((key) => listed(key).some((each) => endingTargets.test(each))),
    opensRoot:
      openingUnits.test(id) ||
      isAction(unit['FailureAction']) ||
      unit['StandardInput']?.startsWith('tty') === true, // a login or a shell on a console of the host
    stopped: listed('Conflicts'),
  }
}

const isAction = (action = ''): boolean => action !== '' && action !== 'none'
