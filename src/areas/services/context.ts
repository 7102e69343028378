import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import type { Deps } from '../deps.ts'
import { switchStep } from './switch-step.ts'

/** The services of the host, as the verbs of the area reach them. */
export interface ServicesArea {
  readonly services: Host['services']
  readonly switchStep: ReturnType<typeof switchStep>
  readonly partsOf: Deps['partsOf']
}

/** Binds the area to the host. */
export function openServicesArea({ host: { services }, partsOf }: Deps): ServicesArea {
  return { services, switchStep: switchStep(services), partsOf }
}

export interface Context {
  readonly services: ServicesArea
}

export const { endpoint } = area.of<Context>()
