import { area } from '../../core/area.ts'
import type { Deps } from '../deps.ts'
import { autoBackupVerbs } from './auto-backup.ts'
import { backendVerbs } from './backends.ts'
import { backupVerbs } from './backups.ts'
import { certificateVerbs } from './certificates.ts'
import { configVerbs, liveConfig } from './config.ts'
import { frontendVerbs } from './frontends.ts'
import { openStateReconciler } from './reconcile-states.ts'
import { programVerbs } from './program.ts'
import { serverVerbs } from './servers.ts'
import { statsVerbs } from './stats.ts'
import { stateQueries } from './store.ts'

/** Opens the area on the HAProxy of this host. */
export function openLbproxy(deps: Deps) {
  const { haproxy } = deps.tools
  const states = stateQueries(deps.store)
  const reconcileServerStates = openStateReconciler(haproxy, states, deps.log)
  return {
    live: () => liveConfig(haproxy),
    watchStates: () =>
      haproxy.watch({
        onChange: reconcileServerStates,
        onError: (error) => deps.log.error({ err: error }, 'cannot watch the processes of HAProxy'),
      }),
    ...backendVerbs(haproxy, { states, reconcileServerStates }),
    ...serverVerbs(haproxy, states),
    ...frontendVerbs(haproxy),
    ...configVerbs(haproxy),
    ...backupVerbs(haproxy),
    ...autoBackupVerbs(haproxy),
    ...certificateVerbs(haproxy),
    ...programVerbs(deps, { haproxy, reconcileServerStates }),
    ...statsVerbs(haproxy, reconcileServerStates),
  }
}

export interface Context {
  readonly lbproxy: ReturnType<typeof openLbproxy>
}

export const { endpoint, job } = area.of<Context>()
