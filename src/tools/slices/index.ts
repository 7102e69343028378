import type { Found } from '../../core/tool.ts'
import { tool } from '../tool.ts'
import { controllers, missingControllers } from './controllers.ts'
import { setSlice } from './set-slice.ts'
import { readUsage } from './usage.ts'

/** The slices of systemd that hold the processes of accounts: their PHP, sessions of SSH and SFTP, and terminals. */
export const slices = tool({
  name: 'slices',
  title: 'Limits of accounts',
  packages: [],
  isOptional: true,
  detect: async ({ host }): Promise<Found> => {
    if ((await host.services.detect()).kind !== 'systemd')
      return unlimited('systemd does not run on this host, and limits CPU, memory and tasks')
    const missing = await missingControllers(host.files)
    if (missing.length > 0)
      return unlimited(
        `the kernel of this host has no cgroup controller for ${missing.map((each) => controllers[each]).join(', ')}`,
      )
    return { present: true, version: null, healthy: true, reason: null }
  },
  steps: ({ host }) => ({ setSlice: setSlice(host) }),
  verbs: ({ host }) => ({
    /** What the processes of accounts use now, by uid; empty without systemd. */
    usage: (uids: readonly number[]) => readUsage(host, uids),
    /** True if there are slices, even where the kernel does not limit them. */
    exist: async (): Promise<boolean> => (await host.services.detect()).kind === 'systemd',
  }),
})

const unlimited = (reason: string): Found => ({ present: true, version: null, healthy: false, reason })

export type Slices = ReturnType<typeof slices.open>
