import type { StepKind } from '../../../core/change.ts'
import type { Services } from '../../services.ts'
import type { ServiceVerb } from '../../services/driver.ts'

export interface ServiceState {
  readonly isActive: boolean
  readonly isEnabled: boolean
  /** Differs after each restart, and after a reload if the program reports it; null while it does not run. */
  readonly generation: string | null
}

/** One service as a step controls it. */
export interface ServiceControl {
  status(): Promise<ServiceState>
  /** Throws a Problem if the service fails to do it. */
  act(verb: ServiceVerb): Promise<void>
  /** Is called instead of `act` if the service is already as the verb makes it, so that this is wanted from now on. */
  confirm(verb: ServiceVerb): Promise<void>
}

interface ServiceArgs {
  readonly verb: ServiceVerb
}

interface ServiceStepDraft<Args> {
  readonly name: string
  /** The name for people: `HAProxy`. */
  readonly title: string
  /** The name in a plan's list of reloads: `haproxy`. */
  readonly reloads: string
  /** True if a reload has loaded the intended state; if undefined, a new generation shows it. */
  readonly isLoaded?: (args: Args) => Promise<boolean | undefined>
}

/** Makes steps that start, stop, restart, reload, enable or disable a service. Undo starts or stops, and enables or disables it again. */
export function serviceStep<Args extends ServiceArgs>(
  service: ServiceControl,
  { name, title, reloads, isLoaded }: ServiceStepDraft<Args>,
): StepKind<Args, ServiceState, null> {
  const restore = async (before: ServiceState) => {
    const now = await service.status()
    if (now.isEnabled !== before.isEnabled) await service.act(before.isEnabled ? 'enable' : 'disable')
    if (now.isActive !== before.isActive) await service.act(before.isActive ? 'start' : 'stop')
  }
  return {
    name,
    plan: ({ verb }) => ({
      title: `${verb[0]?.toUpperCase()}${verb.slice(1)} ${title}`,
      ...(verb === 'reload' && { reloads: [reloads] }),
    }),
    observe: () => service.status(),
    act: async ({ verb }) => {
      await (isDone(verb, await service.status()) ? service.confirm(verb) : service.act(verb))
      return null
    },
    undo: (_args, before) => restore(before),
    notUndone: ({ verb }) =>
      isRenewal(verb) ? 'the process that was replaced does not come back' : undefined,
    check: async (args, before) => {
      const now = await service.status()
      const { verb } = args
      const hasLoaded = verb === 'reload' ? await isLoaded?.(args) : undefined
      if (hasLoaded !== undefined) return hasLoaded ? 'wanted' : 'before'
      if (isDone(verb, now) || (isRenewal(verb) && now.isActive && now.generation !== before.generation))
        return 'wanted'
      return now.isActive === before.isActive && now.isEnabled === before.isEnabled ? 'before' : 'other'
    },
  }
}

/** Such a verb leaves the same state, in a process that was started since. */
const isRenewal = (verb: ServiceVerb): boolean => verb === 'restart' || verb === 'reload'

/** True if the state itself shows that there is nothing to do. */
function isDone(verb: ServiceVerb, { isActive, isEnabled }: ServiceState): boolean {
  if (verb === 'start') return isActive
  if (verb === 'stop') return !isActive
  if (verb === 'enable') return isEnabled
  return verb === 'disable' && !isEnabled
}

/** A service of the host, by the name of its unit or init script. */
export function serviceOf(services: Services, name: string): ServiceControl {
  return {
    status: async () => {
      const { active, enabled, started_at } = await services.status(name)
      return { isActive: active, isEnabled: enabled, generation: started_at }
    },
    act: (verb) => services.act(name, verb),
    confirm: (verb) => services.confirm(name, verb),
  }
}
