import type { Found } from '../../core/tool.ts'
import { serviceOf, serviceStep } from '../../host/apply/steps.ts'
import { type Opening, tool } from '../tool.ts'
import { makeAccount } from './account.ts'
import { serviceName } from './layout.ts'
import { placeProgram } from './place-program.ts'
import { readProcess } from './processes.ts'
import { findProgram } from './program.ts'
import { removeProgram } from './remove-program.ts'
import { switchProcess } from './switch-process.ts'

export { ProcessManagerFailed, RemovalFailed } from './problems.ts'

interface ServiceArgs {
  readonly verb: 'start' | 'enable'
}

/** PM2, a process manager of npm, which runs the gateway of the AI partner under an account of its own. */
export const pm2 = tool({
  name: 'pm2',
  title: 'PM2',
  packages: [],
  isOptional: true,
  detect,
  steps: ({ host }) => ({
    makeAccount: makeAccount(host),
    placeProgram: placeProgram(host),
    switchService: serviceStep<ServiceArgs>(serviceOf(host.services, serviceName), {
      name: 'pm2.switch-service',
      title: 'PM2 with the gateway',
      reloads: serviceName,
    }),
    switchProcess: switchProcess(host),
    removeProgram: removeProgram(host),
  }),
  verbs: ({ host }) => ({
    /** Reads the gateway from PM2; undefined where PM2 does not run, or does not know it. */
    readProcess: () => readProcess(host),
  }),
})

async function detect({ host }: Opening): Promise<Found> {
  const program = await findProgram(host)
  if (program === undefined)
    return {
      present: false,
      version: null,
      healthy: false,
      reason: 'PM2 is not installed: npm install --global --ignore-scripts pm2@7',
    }
  return { present: true, version: program.version, healthy: true, reason: null }
}
