import { area } from '../../core/area.ts'
import type { Deps } from '../deps.ts'
import { autoBackupVerbs } from './auto-backup.ts'
import { backendVerbs, serverVerbs } from './backends.ts'
import { backupVerbs } from './backups.ts'
import { certificateVerbs } from './certificates.ts'
import { configVerbs, liveConfig } from './config.ts'
import { frontendVerbs } from './frontends.ts'
import { programVerbs } from './program.ts'
import { statsVerbs } from './stats.ts'

/** The area bound to the HAProxy of this host. */
export function openLbproxy(deps: Deps) {
  const { haproxy } = deps.tools
  return {
    live: () => liveConfig(haproxy),
    ...backendVerbs(haproxy),
    ...serverVerbs(haproxy),
    ...frontendVerbs(haproxy),
    ...configVerbs(haproxy),
    ...backupVerbs(haproxy),
    ...autoBackupVerbs(haproxy),
    ...certificateVerbs(haproxy),
    ...programVerbs(deps, haproxy),
    ...statsVerbs(haproxy),
  }
}

export interface Context {
  readonly lbproxy: ReturnType<typeof openLbproxy>
}

export const { endpoint, job } = area.of<Context>()
