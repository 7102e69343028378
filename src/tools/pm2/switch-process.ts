import type { StepKind } from '../../core/change.ts'
import { Problem } from '../../core/problem.ts'
import { finalStep } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import { processName, serviceName, unitPath } from './layout.ts'
import { ProcessManagerFailed } from './problems.ts'
import { failed, isManaged, outputOf, readProcess, runPm2 } from './processes.ts'

interface SwitchArgs {
  readonly verb: 'restart' | 'stop'
}

/** When the process was started, and whether it runs. */
interface Before {
  readonly startedAt: number | null
  readonly isOnline: boolean
}

/** The step that restarts or stops the gateway through PM2; returns what that printed. */
export const switchProcess = (host: Host): StepKind<SwitchArgs, Before, { output: string }> =>
  finalStep<SwitchArgs, Before, { output: string }>({
    name: 'pm2.switch-process',
    plan: ({ verb }) => ({
      title: verb === 'restart' ? 'Restart the gateway' : 'Stop the gateway',
      commands: [['pm2', verb, processName]],
    }),
    why: 'the process that was ended does not come back',
    observe: async () => {
      if ((await host.files.facts(unitPath)) === undefined) throw failedWith('The gateway is not installed')
      return look(host)
    },
    act: async ({ verb }) => {
      if (!(await isManaged(host))) {
        if (verb === 'stop') return { output: 'PM2 does not run, and neither does the gateway' }
        await startService(host)
        return { output: `The service ${serviceName} was started, and the gateway with it` }
      }
      const result = await runPm2(host, verb, processName)
      if (result.code !== 0) throw failed(result)
      return { output: outputOf(result) }
    },
    isDone: async ({ verb }, before) => {
      const now = await look(host)
      return verb === 'stop' ? !now.isOnline : now.isOnline && now.startedAt !== before.startedAt
    },
  })

async function look(host: Host): Promise<Before> {
  const found = await readProcess(host)
  return { startedAt: found?.startedAt ?? null, isOnline: found?.status === 'online' }
}

async function startService({ services }: Pick<Host, 'services'>): Promise<void> {
  try {
    await services.act(serviceName, 'start')
  } catch (error) {
    throw error instanceof Problem ? failedWith(error.message) : error
  }
}

const failedWith = (message: string): Error =>
  ProcessManagerFailed(message, { fields: { output: message.slice(0, 20_000) } })
