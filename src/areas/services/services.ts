import type { Caller } from '../../core/caller.ts'
import { type Change, change, step } from '../../core/change.ts'
import { lock } from '../../core/lock.ts'
import { Forbidden } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import type { ServiceStatus, ServiceVerb } from '../../host/services/driver.ts'
import type { ServicesArea } from './context.ts'
import { type DrivenService, drivenServices, startObstacles } from './driven.ts'
import type { Service } from './model.ts'
import { NotStartable, ProtectedService } from './problems.ts'

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

/** True if a verb on a service may be refused to protect the panel or the host. */
export function isRefusable(verb: ServiceVerb): boolean {
  return verb !== 'reload'
}

const endsUnits = (verb: ServiceVerb): boolean => verb === 'stop' || verb === 'restart'

/** True if a verb on a service is refused where another one has its ports. */
export const startsUnits = (verb: ServiceVerb): boolean =>
  verb === 'start' || verb === 'restart' || verb === 'enable'

/** Starts, stops, restarts, reloads, enables or disables a service, except what would end the panel or the host. */
export async function switchService(
  { services, switchStep, partsOf }: ServicesArea,
  { name, active }: Service,
  verb: ServiceVerb,
  caller: Caller,
): Promise<Change<{ success: true }>> {
  const own = await services.own()
  if (name === own && (endsUnits(verb) || verb === 'disable'))
    throw ProtectedService(`name: the panel runs in ${name}: ${verb} it with the service manager of the host`)
  if (startsUnits(verb)) await assertMayStart(services, name, { own, caller })
  if (startsUnits(verb) && !active) await assertStartable(partsOf(startObstacles), name)
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

async function assertStartable(
  obstacles: readonly ((service: string) => Promise<string | undefined>)[],
  name: string,
): Promise<void> {
  for (const find of obstacles) {
    const obstacle = await find(name)
    if (obstacle !== undefined) throw NotStartable(`name: ${obstacle}`)
  }
}

interface Starting {
  /** The service that the panel runs in. */
  readonly own: string | undefined
  readonly caller: Caller
}

/** The permission for administrative operations never amounts to root (decision 3.20), nor to the end of the host. */
async function assertMayStart(
  services: ServicesArea['services'],
  name: string,
  { own, caller }: Starting,
): Promise<void> {
  const { endsHost, opensRoot, stopped } = await services.startEffects(name)
  if (endsHost || (own !== undefined && stopped.includes(`${own}.service`)))
    throw ProtectedService(`name: ${name} would end the panel: start it with the service manager of the host`)
  if (opensRoot && !caller.user.isAdmin)
    throw Forbidden(`name: ${name} gives rights of root or may end the host: only a superuser starts it`)
}

/** Throws for the log of the panel itself, which may contain what its administrators alone may know. */
export async function assertMayRead({ services }: ServicesArea, name: string, caller: Caller): Promise<void> {
  if (!caller.user.isAdmin && name === (await services.own()))
    throw Forbidden(`name: only a superuser reads the log of the panel`)
}
