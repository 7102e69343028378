import { type Change, change, step } from '../../core/change.ts'
import { lock } from '../../core/lock.ts'
import { success } from '../../core/reply.ts'
import type { ServiceStatus, ServiceVerb } from '../../host/services/driver.ts'
import type { ServicesArea } from './context.ts'
import { type DrivenService, drivenServices } from './driven.ts'
import type { Service } from './model.ts'
import { ProtectedService } from './problems.ts'

const serviceLock = lock('service')
const mostShown = 2000

/** Lists the services of the host by name. */
export async function listServices({ services, partsOf }: ServicesArea): Promise<Service[]> {
  const [all, own] = await Promise.all([services.list(), services.own()])
  const driven = new Map(partsOf(drivenServices).map((each) => [each.service, each]))
  return all
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .slice(0, mostShown)
    .map((status) => show(status, own, driven.get(status.name)))
}

/** Returns one service, or fails with 404. */
export async function loadService({ services, partsOf }: ServicesArea, name: string): Promise<Service> {
  const [status, own] = await Promise.all([services.status(name), services.own()])
  return show(
    status,
    own,
    partsOf(drivenServices).find((each) => each.service === status.name),
  )
}

function show(
  { description, ...status }: ServiceStatus,
  own: string | undefined,
  driven: DrivenService | undefined,
): Service {
  return {
    ...status,
    description: description.slice(0, 1000),
    is_panel: status.name === own,
    driven_by: driven === undefined ? null : { title: driven.title, path: driven.path },
  }
}

/** Whether a verb on the panel's own service ends the panel, now or at the next start of the host. */
export function endsPanel(verb: ServiceVerb): boolean {
  return endsUnits(verb) || verb === 'disable'
}

function endsUnits(verb: ServiceVerb): boolean {
  return verb === 'stop' || verb === 'restart'
}

/** Starts, stops, restarts, reloads, enables or disables a service, except what would end the panel. */
export async function switchService(
  { services, switchStep }: ServicesArea,
  { name }: Service,
  verb: ServiceVerb,
): Promise<Change<{ success: true }>> {
  const own = await services.own()
  if (name === own && endsPanel(verb))
    throw ProtectedService(`name: the panel runs in ${name}: ${verb} it with the service manager of the host`)
  const { stopped, triggers } = endsUnits(verb)
    ? await services.dependents(name)
    : { stopped: [], triggers: [] }
  if (own !== undefined && stopped.includes(`${own}.service`))
    throw ProtectedService(`name: the panel depends on ${name}, and would be stopped with it`)
  return change({
    summary: `${verb.charAt(0).toUpperCase()}${verb.slice(1)} the service ${name}`,
    locks: [serviceLock(name)],
    steps: [step(switchStep, { name, verb, stopped, triggers: verb === 'stop' ? triggers : [] })],
    reply: success,
  })
}
