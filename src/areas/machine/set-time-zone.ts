import type { StepKind } from '../../core/change.ts'
import { problem } from '../../core/problem.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import { linkPath, readZoneLink, zoneFolder } from './zone-database.ts'

export const ZoneRefused = problem('timezone_refused', 500, 'The host did not take the time zone')

interface ZoneArgs {
  readonly zone: string
}

/** The zone in both of its places. */
export interface ZoneState {
  /** Target of /etc/localtime (localtime(5)). */
  readonly target?: string
  /** Text of /etc/timezone, which programs of Debian read. */
  readonly stored?: string
}

const storedPath = '/etc/timezone'
const limits = { timeoutMs: 10_000 }

/** The step that sets the time zone of the host, as timedatectl(1) does, also where systemd does not run. */
export function setTimeZone(host: Pick<Host, 'files' | 'run'>): StepKind<ZoneArgs, Was<ZoneState>, null> {
  const { files, run } = host
  return stateStep<ZoneArgs, ZoneState>({
    name: 'machine.set-time-zone',
    plan: ({ zone }) => ({
      title: `Set the time zone to ${zone}`,
      details: ['cron uses it at once; other programs that run, once they are restarted'],
      objects: [{ name: linkPath, before: null, after: `${zoneFolder}/${zone}` }],
    }),
    read: async () => {
      const [target, stored] = await Promise.all([readZoneLink(host), files.read(storedPath)])
      return { ...(target !== undefined && { target }), ...(stored !== undefined && { stored }) }
    },
    wanted: ({ zone }) => ({ target: `${zoneFolder}/${zone}`, stored: `${zone}\n` }),
    write: async (_args, state, { now }) => {
      if (state?.stored !== now?.stored)
        await (state?.stored === undefined ? files.remove(storedPath) : files.write(storedPath, state.stored))
      if (state?.target === now?.target) return
      if (state?.target === undefined) return files.remove(linkPath)
      const { code, stderr } = await run(['ln', '-sfn', '--', state.target, files.real(linkPath)], limits)
      if (code !== 0) throw ZoneRefused(`ln: ${stderr.trim().slice(0, 500)}`)
    },
  })
}
