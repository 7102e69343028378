import { Unavailable } from '../../core/problem.ts'
import { ConfigRejected } from '../../host/apply/problems.ts'
import type { Run } from '../../host/run.ts'
import { optionName } from './option-file.ts'

/** The options with which the server would start, by their names with underscores; empty for one without a value. */
export interface Configured {
  readonly values: ReadonlyMap<string, string>
  /** What the server says of values that it adjusts. */
  readonly warnings: readonly string[]
}

/** The dry run of the server: it reads all option files, checks every option, and prints the result. */
export const checkCommand = ['mariadbd', '--help', '--verbose'] as const

/** Reads the options as the server does; `candidate` is read after all other files. Throws what the server refuses. */
export async function readConfigured(run: Run, candidate?: string): Promise<Configured> {
  const [program, ...args] = checkCommand
  const extra = candidate === undefined ? [] : [`--defaults-extra-file=${candidate}`]
  const { code, stdout, stderr } = await run([program, ...extra, ...args], {
    timeoutMs: 60_000,
    maxBytes: 4 * 1024 * 1024,
  })
  if (code === 127) throw Unavailable('MariaDB is not installed')
  const lines = stderr.split('\n').map((line) => line.replace(/^[\d-]+ +[\d:]+ \d+ /, ''))
  if (code !== 0) {
    const reasons = lines.filter((line) => line !== '' && !line.startsWith('[Warning]'))
    throw ConfigRejected(reasons.join('\n').slice(0, 2000) || `mariadbd ended with exit status ${code}`)
  }
  return {
    values: parseVariables(stdout),
    warnings: lines.filter((line) => line.startsWith('[Warning]')).map((line) => line.slice(10)),
  }
}

/** Reads the table at the end of `mariadbd --help --verbose`. */
export function parseVariables(text: string): ReadonlyMap<string, string> {
  const table = text.slice(text.indexOf('\nVariables (--variable-name=value)'))
  const values = new Map<string, string>()
  for (const line of table.split('\n')) {
    const [, name, value = ''] = /^([a-z][a-z0-9-]*) {2,}(.*)$/.exec(line) ?? []
    if (name !== undefined) values.set(optionName(name), shown[value.trim()] ?? value.trim())
  }
  return values
}

/** What the table shows for values that the server shows otherwise. */
const shown: Readonly<Record<string, string>> = { '(No default value)': '', TRUE: 'ON', FALSE: 'OFF' }
const spelled: Readonly<Record<string, string>> = { ...shown, '1': 'ON', '0': 'OFF' }

/** True if two texts are the same value of an option, however it is written. */
export function isSameValue(one: string, other: string): boolean {
  if (one === other) return true
  const numbers = [one, other].map((text) => (/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined))
  if (numbers[0] !== undefined && numbers[1] !== undefined) return numbers[0] === numbers[1]
  return (spelled[one] ?? one) === (spelled[other] ?? other)
}
