import type { Services } from '../../host/services.ts'
import { isServiceActive, webServices } from '../web-services.ts'
import type { NginxStarter } from './tool.ts'

/** Starts nginx through the services of the host; never while Apache has its port. */
export function startWith(services: Services): NginxStarter {
  return {
    start: () => services.start('nginx'),
    isReplaced: () => isServiceActive(services, webServices.apache),
    isStoppedOnPurpose: async () =>
      (await services.isStoppedOnPurpose('nginx')) || isServiceActive(services, webServices.apache),
  }
}
