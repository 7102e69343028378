import type { StepKind } from '../../../core/change.ts'
import { ReloadFailed } from '../../../host/apply/problems.ts'
import { type ServiceState, type ServiceControl, serviceStep } from '../../../host/apply/steps.ts'
import type { HaproxyParts } from '../index.ts'
import { servesWhatLies } from '../serves.ts'

export interface SwitchArgs {
  readonly verb: 'start' | 'stop' | 'reload'
  /** A file that is to be read by the reload: it is done when HAProxy was started after this one was put in its place. */
  readonly loads?: string
}

/** The step that starts, stops or reloads HAProxy. */
export function switchProgram(parts: HaproxyParts): StepKind<SwitchArgs, ServiceState, null> {
  return serviceStep<SwitchArgs>(haproxyService(parts), {
    name: 'haproxy.switch-program',
    title: 'HAProxy',
    reloads: 'haproxy',
    isLoaded: async ({ loads }) => (loads === undefined ? undefined : servesWhatLies(parts, loads)),
  })
}

function haproxyService({ layout, tool, program, starter }: HaproxyParts): ServiceControl {
  const reload = async () => {
    const refusal = await tool.check(layout.configPath)
    if (refusal !== undefined) throw ReloadFailed(refusal)
    const { outcome, message } = await tool.activate()
    if (outcome === 'refused') throw ReloadFailed(message)
    if (outcome === 'stopped') throw ReloadFailed('HAProxy does not run')
  }
  return {
    status: async () => {
      const generation = (await program.generation()) ?? null
      return { isActive: generation !== null, isEnabled: true, generation }
    },
    act: async (verb) => {
      if (verb === 'reload') return reload()
      if (verb !== 'start' && verb !== 'stop') throw new Error(`HAProxy is not made to ${verb}`)
      await starter[verb]()
    },
  }
}
