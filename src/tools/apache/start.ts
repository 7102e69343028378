import type { Services } from '../../host/services.ts'
import { isServiceActive, webServices } from '../web-services.ts'
import type { ApacheStarter } from './tool.ts'

/** Starts and reloads Apache through the services of the host; never starts it while nginx has its port. */
export function startWith(services: Services): ApacheStarter {
  return {
    start: () => services.start(webServices.apache),
    reload: () => services.act(webServices.apache, 'reload'),
    isReplaced: () => isServiceActive(services, webServices.nginx),
    isStoppedOnPurpose: async () =>
      (await services.isStoppedOnPurpose(webServices.apache)) || isServiceActive(services, webServices.nginx),
  }
}
