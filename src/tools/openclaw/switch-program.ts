import type { StepKind } from '../../core/change.ts'
import { serviceOf, serviceStep } from '../../host/apply/steps.ts'
import type { Services } from '../../host/services.ts'
import { serviceName } from './layout.ts'

interface SwitchArgs {
  readonly verb: 'start' | 'stop' | 'restart' | 'enable' | 'disable'
}

/** The step that starts, stops, restarts, enables or disables the gateway. */
export const switchProgram = (services: Services) =>
  serviceStep<SwitchArgs>(serviceOf(services, serviceName), {
    name: 'openclaw.switch-program',
    title: 'the assistant',
    reloads: 'openclaw',
  })

/**
 * The step that comes before a change of the settings. Steps are undone in reverse order: its undo is the last, and
 * restarts the gateway once the former settings are back.
 */
export const restartOnUndo = (services: Services): StepKind<null, { readonly isActive: boolean }, null> => ({
  name: 'openclaw.restart-on-undo',
  plan: () => ({ title: 'Go back to the former settings if the assistant does not become ready' }),
  observe: async () => ({ isActive: (await services.status(serviceName)).active }),
  act: async () => null,
  undo: async (_args, { isActive }) => {
    if (isActive) await services.act(serviceName, 'restart')
  },
  check: async () => 'wanted',
})
