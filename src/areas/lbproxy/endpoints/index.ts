import { backendEndpoints } from './backends.ts'
import { backupEndpoints } from './backups.ts'
import { certificateEndpoints } from './certificates.ts'
import { configEndpoints } from './config.ts'
import { frontendEndpoints } from './frontends.ts'
import { programEndpoints } from './program.ts'
import { serverEndpoints } from './servers.ts'

/** Every endpoint of the load balancer. */
export const lbproxyEndpoints = [
  ...backendEndpoints,
  ...serverEndpoints,
  ...frontendEndpoints,
  ...configEndpoints,
  ...programEndpoints,
  ...backupEndpoints,
  ...certificateEndpoints,
]
