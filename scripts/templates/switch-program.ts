import type { Names } from './names.ts'

/** The step of a new tool that starts, stops and restarts its service, and its proof. */
export const switchProgramFiles = ({ kebab, title }: Names): readonly (readonly [string, string])[] => [
  [
    'switch-program.ts',
    `import { serviceOf, serviceStep } from '../../host/apply/steps.ts'
import type { Services } from '../../host/services.ts'

interface SwitchArgs {
  readonly verb: 'start' | 'stop' | 'restart'
}

/** The step that starts, stops or restarts the service. */
export const switchProgram = (services: Services) =>
  serviceStep<SwitchArgs>(serviceOf(services, '${kebab}'), {
    name: '${kebab}.switch-program',
    title: '${title}',
    reloads: '${kebab}',
  })
`,
  ],
  [
    'switch-program.test.ts',
    `import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openHost } from '../../host/index.ts'
import { openServices } from '../../host/services.ts'
import { scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { switchProgram } from './switch-program.ts'

interface Machine {
  readonly root: string
  readonly services: Map<string, { isActive: boolean; isEnabled: boolean }>
}

proveStep<Machine>('${kebab}.switch-program', {
  machine: async (t) => {
    const root = scratchRoot(t)
    await openHost({ root }).files.makeDirectory('/run/systemd/system')
    return { root, services: new Map([['${kebab}', { isActive: false, isEnabled: true }]]) }
  },
  open: ({ root, services }, door) =>
    switchProgram(openServices(door(scriptedRun(scriptSystemd(services)).run), openHost({ root }).files)),
  look: ({ services }) => services.get('${kebab}')?.isActive,
  withoutHandEdit: 'it starts and stops a program: there is nothing to edit',
  cases: {
    started: { args: { verb: 'start' }, wanted: true },
    stopped: {
      args: { verb: 'stop' },
      arrange: ({ services }) => services.set('${kebab}', { isActive: true, isEnabled: true }),
      wanted: false,
    },
  },
})
`,
  ],
]

/** What areas may ask a new tool about its service. */
export const isRunningVerb = `verbs: ({ host, service }) => ({
    /** Returns whether its service runs. */
    isRunning: async () => (await host.services.list()).some(({ name, active }) => name === service && active),
  }),`
