import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { plannedObject } from '../../host/apply/steps.ts'
import type { Host } from '../../host/index.ts'
import { accountName } from './layout.ts'
import { CrontabFailed } from './problems.ts'

interface CrontabArgs {
  /** Null removes the crontab. */
  readonly text: string | null
}

const limits = { timeoutMs: 10_000, maxBytes: 1024 * 1024 }

/** Reads the crontab of the assistant's account; undefined if it has none. */
export async function readCrontab({ run }: Pick<Host, 'run'>): Promise<string | undefined> {
  const { code, stdout, stderr } = await run(['crontab', '-u', accountName, '-l'], limits)
  if (code === 0) return stdout
  if (code === 127) throw CrontabFailed('The package cron is not installed')
  if (/no crontab for/.test(stderr)) return undefined
  throw CrontabFailed(`crontab: ${(stderr.trim() || `exit status ${code}`).slice(0, 1000)}`)
}

/** The step that replaces the crontab of the assistant's account. */
export function writeCrontab({ run }: Pick<Host, 'run'>): StepKind<CrontabArgs, Was<string>, null> {
  const read = () => readCrontab({ run })
  const wanted = ({ text }: CrontabArgs) => text ?? undefined
  return stateStep<CrontabArgs, string>({
    name: 'openclaw.write-crontab',
    plan: ({ text }) => ({ title: `${text === null ? 'Remove' : 'Replace'} the crontab of ${accountName}` }),
    ...plannedObject<CrontabArgs, string>({
      object: () => `crontab of ${accountName}`,
      read,
      wanted,
      show: (text) => text,
    }),
    read,
    wanted,
    write: async (_args, text) => {
      const argv = ['crontab', '-u', accountName, text === undefined ? '-r' : '-'] as const
      const { code, stderr } = await run(argv, { ...limits, ...(text !== undefined && { input: text }) })
      if (code !== 0)
        throw CrontabFailed(`crontab: ${(stderr.trim() || `exit status ${code}`).slice(0, 1000)}`)
    },
  })
}
