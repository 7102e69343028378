import { serviceOf, serviceStep } from '../../host/apply/steps.ts'
import type { Services } from '../../host/services.ts'

interface SwitchArgs {
  readonly verb: 'start' | 'stop' | 'restart' | 'enable'
}

/** The step that starts, stops, restarts or enables the service. */
export const switchProgram = (services: Services) =>
  serviceStep<SwitchArgs>(serviceOf(services, 'mariadb'), {
    name: 'mariadb.switch-program',
    title: 'MariaDB',
    reloads: 'mariadb',
  })
