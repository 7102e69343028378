import { type Change, change, step } from '../../core/change.ts'
import { flawOf, parseLine } from '../../tools/cron/index.ts'
import type { CronJobs } from './crontab-model.ts'
import { type Assistant, assistantLock } from './context.ts'
import { loadAssistant } from './edit.ts'
import { CrontabRefused } from './problems.ts'

const longestLine = 998 // cron cuts longer ones

/** Lists the jobs of the assistant's crontab; none if it has no crontab. */
export async function readCrontab({ tool, queries }: Assistant): Promise<CronJobs> {
  if ((await queries.find()) === undefined) return []
  return jobsIn((await tool.readCrontab()) ?? '')
}

function jobsIn(text: string): CronJobs {
  return text.split('\n').flatMap((line) => {
    const read = parseLine(line)
    if (read?.kind === 'job') return [{ schedule: read.schedule, command: read.command }]
    // a name that this cron does not know is shown all the same
    const [, schedule, command] = /^\s*(@\S+)\s+(\S.*)$/.exec(line) ?? []
    return read === undefined && schedule !== undefined && command !== undefined
      ? [{ schedule, command }]
      : []
  })
}

/** Replaces the assistant's crontab with jobs; without any, it has none. */
export async function replaceCrontab(
  on: Assistant,
  jobs: CronJobs | undefined,
): Promise<Change<{ success: true }>> {
  await loadAssistant(on)
  if (jobs === undefined) throw CrontabRefused('jobs: is required: an empty list removes the crontab')
  const lines = jobs.map((job, index) => lineOf(job, index + 1))
  const text = lines.length === 0 ? null : `# Written by Hostreeve.\n${lines.join('\n')}\n`
  return change({
    summary: `Replace the crontab of the assistant: ${jobs.length} ${jobs.length === 1 ? 'job' : 'jobs'}`,
    locks: [assistantLock],
    steps: [step(on.tool.steps.writeCrontab, { text })],
    reply: { success: true },
  })
}

function lineOf({ schedule, command }: CronJobs[number], number: number): string {
  const line = `${schedule.trim()} ${command.trim()}`
  const flaw = flawOfLine(line, schedule.trim().replaceAll(/[ \t]+/g, ' '))
  if (flaw !== undefined) throw CrontabRefused(`jobs: job ${number}: ${flaw}`)
  return line
}

function flawOfLine(line: string, schedule: string): string | undefined {
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(line)) return 'has a control character'
  if (Buffer.byteLength(line) > longestLine) return `is longer than ${longestLine} bytes`
  const read = parseLine(line)
  if (read?.kind !== 'job' || read.schedule !== schedule)
    return 'must have five fields or a name such as @daily as its schedule, and a command'
  return flawOf(read.schedule)
}
