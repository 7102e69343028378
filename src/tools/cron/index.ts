import { createHash } from 'node:crypto'
import type { Account } from '../../host/accounts.ts'
import { tool } from '../tool.ts'
import { passedBy } from './lines.ts'
import { renderCrontab } from './render.ts'
import { runLine } from './run-line.ts'
import { listRuns, readOutput } from './runs.ts'
import { writeCrontab } from './write-crontab.ts'

export { parseLine } from './lines.ts'
export { RunFailed } from './run-line.ts'
export { flawOf, nextRuns } from './schedule.ts'

/** cron, which runs the crontabs of websites. */
export const cron = tool({
  name: 'cron',
  title: 'cron',
  packages: [],
  isOptional: true,
  detect: async ({ host }) => {
    const isPresent = (await host.files.facts('/usr/sbin/cron')) !== undefined // it tells no version
    const runs = isPresent && (await host.files.facts('/run/crond.pid')) !== undefined
    const reason = runs
      ? null
      : isPresent
        ? 'cron does not run: start it under Services'
        : 'the package cron is not installed'
    return { present: isPresent, version: null, healthy: runs, reason }
  },
  steps: ({ host }) => ({ writeCrontab: writeCrontab(host), runLine: runLine(host) }),
  verbs: ({ host }) => ({
    renderCrontab,
    listRuns: (siteId: number, owner: Account) => listRuns(host, siteId, owner),
    readOutput: (siteId: number, owner: Account, name: string) => readOutput(host, siteId, owner, name),
    /** The digest by which the runs of a command are found. */
    digestOf: (command: string): string =>
      createHash('sha256').update(passedBy(command).script).digest('hex').slice(0, 16),
  }),
})

export type CronTool = ReturnType<typeof cron.open>
