import type { Services } from '../../host/services.ts'
import type { NginxStarter } from './tool.ts'

/** Starts nginx through the services of the host. */
export function startWith(services: Services): NginxStarter {
  return {
    start: () => services.start('nginx'),
    isStoppedOnPurpose: () => services.isStoppedOnPurpose('nginx'),
  }
}
