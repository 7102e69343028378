import { flawOf, parseLine } from '../../tools/cron/index.ts'
import { maxLines } from './model.ts'
import { CrontabRefused } from './problems.ts'

/** A job of a crontab. */
export interface CronJob {
  /** From 1. */
  readonly line: number
  readonly schedule: string
  readonly command: string
  /** The variables that the lines above set. */
  readonly variables: Readonly<Record<string, string>>
}

/** Lists the jobs of a crontab that was accepted. */
export function jobsIn(crontab: string): readonly CronJob[] {
  const jobs: CronJob[] = []
  let variables: Readonly<Record<string, string>> = {}
  for (const [index, text] of crontab.split('\n').entries()) {
    const line = parseLine(text)
    if (line?.kind === 'variable') variables = { ...variables, [line.name]: line.value }
    if (line?.kind === 'job')
      jobs.push({ line: index + 1, schedule: line.schedule, command: line.command, variables })
  }
  return jobs
}

/** Fails with the first line that cron would refuse, or that mails to another than the owner. */
export function assertAccepted(crontab: string, owners: readonly string[]): void {
  const lines = crontab.split('\n')
  if (lines.length > maxLines)
    throw CrontabRefused(`crontab: has ${lines.length} lines: at most ${maxLines} are kept`)
  for (const [index, text] of lines.entries()) {
    const flaw = flawOfLine(text, owners)
    if (flaw !== undefined) throw CrontabRefused(`crontab: line ${index + 1}: ${flaw}`)
  }
}

const longestLine = 998 // cron cuts longer ones

function flawOfLine(text: string, owners: readonly string[]): string | undefined {
  if (/[\0-\b\v-\x1f\x7f]/.test(text)) return 'has a control character'
  if (Buffer.byteLength(text) > longestLine) return `is longer than ${longestLine} bytes`
  const line = parseLine(text)
  if (line === undefined) return 'must be five fields or a name such as @daily, and a command'
  if (line.kind === 'job') return flawOf(line.schedule)
  return line.kind === 'variable' ? flawOfVariable(line.name, line.value, owners) : undefined
}

function flawOfVariable(name: string, value: string, owners: readonly string[]): string | undefined {
  if (value.includes('"')) return `the value of ${name} has a quotation mark in it`
  if (name.startsWith('HOSTREEVE_')) return `${name} is a variable of the panel`
  if (name === 'SHELL' && !/^\/[\w./-]+$/.test(value)) return 'SHELL must be an absolute path'
  const isOther = value !== '' && !owners.includes(value.toLowerCase())
  if (name === 'MAILTO' && isOther) return `MAILTO must be ${owners.join(' or ')}, or empty`
  return undefined
}
