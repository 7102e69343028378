import type { StepKind } from '../../../core/change.ts'
import { type ServiceState, serviceStep } from '../../../host/apply/steps.ts'
import type { DnsdistParts } from '../parts.ts'

export interface SwitchArgs {
  readonly verb: 'start' | 'stop' | 'restart'
}

/** The step that starts, stops or restarts dnsdist. */
export function switchProgram({
  host,
  layout,
  starter,
}: DnsdistParts): StepKind<SwitchArgs, ServiceState, null> {
  return serviceStep<SwitchArgs>(
    {
      status: async () => ({
        isActive: await starter.isRunning(),
        isEnabled: true,
        generation: String((await starter.startedAt()) ?? ''),
      }),
      act: async (verb) => {
        if (verb !== 'start' && verb !== 'stop' && verb !== 'restart')
          throw new Error(`unknown action for dnsdist: ${verb}`)
        await starter.act(verb)
      },
      confirm: (verb) => host.services.confirm(layout.service, verb),
    },
    { name: 'dnsdist.switch-program', title: 'dnsdist', reloads: 'dnsdist' },
  )
}
