import type { StepKind } from '../../../core/change.ts'
import { ReloadFailed } from '../../../host/apply/problems.ts'
import { type ServiceState, type ServiceControl, serviceStep } from '../../../host/apply/steps.ts'
import type { HaproxyParts } from '../parts.ts'
import { servesCurrentFile } from '../serves.ts'

export interface SwitchArgs {
  readonly verb: 'start' | 'stop' | 'reload'
  /**
   * A file that the reload must load: the step is done if HAProxy was started after this file was put in
   * place.
   */
  readonly loads?: string
}

/** The step that starts, stops or reloads HAProxy. */
export function switchProgram(parts: HaproxyParts): StepKind<SwitchArgs, ServiceState, null> {
  return serviceStep<SwitchArgs>(haproxyService(parts), {
    name: 'haproxy.switch-program',
    title: 'HAProxy',
    reloads: 'haproxy',
    isLoaded: async ({ loads }) => (loads === undefined ? undefined : servesCurrentFile(parts, loads)),
  })
}

function haproxyService({ host, layout, tool, program, starter }: HaproxyParts): ServiceControl {
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
      if (verb !== 'start' && verb !== 'stop') throw new Error(`unknown action for HAProxy: ${verb}`)
      await starter[verb]()
    },
    confirm: (verb) => host.services.confirm(layout.service, verb),
  }
}
