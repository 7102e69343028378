import { area } from '../../core/area.ts'
import type { Deps } from '../deps.ts'
import { hostLogQueries } from './store.ts'

/** The logs of the host and where they go, as the verbs of the area reach them. */
export interface HostLogs extends Pick<Deps['tools'], 'auditd' | 'logForwarding' | 'openssh'> {
  readonly queries: ReturnType<typeof hostLogQueries>
}

/** Binds the area to the store and the programs. */
export function openHostLogs({ store, tools: { auditd, logForwarding, openssh } }: Deps): HostLogs {
  return { queries: hostLogQueries(store), auditd, logForwarding, openssh }
}

export interface Context {
  readonly hostlogs: HostLogs
}

export const { endpoint } = area.of<Context>()
