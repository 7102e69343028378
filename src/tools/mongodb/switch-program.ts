import { serviceOf, serviceStep } from '../../host/apply/steps.ts'
import type { Services } from '../../host/services.ts'

/** The unit of MongoDB's packages. */
export const serviceName = 'mongod'

interface SwitchArgs {
  readonly verb: 'start' | 'stop' | 'restart'
}

/** The step that starts, stops or restarts the service. */
export const switchProgram = (services: Services) =>
  serviceStep<SwitchArgs>(serviceOf(services, serviceName), {
    name: 'mongodb.switch-program',
    title: 'MongoDB',
    reloads: 'mongodb',
  })
