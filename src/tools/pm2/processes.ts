import { stripVTControlCharacters } from 'node:util'
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { Unavailable } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'
import type { RunResult } from '../../host/run.ts'
import { accountName, homeDirectory, processName, serviceName, unitPath } from './layout.ts'
import { ProcessManagerFailed } from './problems.ts'
import { findProgram } from './program.ts'

const limits = { timeoutMs: 30_000, maxBytes: 4 * 1024 * 1024 }

const Listed = Type.Object({
  name: Type.String(),
  pm_id: Type.Integer({ minimum: 0 }),
  monit: Type.Optional(Type.Object({ memory: Type.Number(), cpu: Type.Number() })),
  pm2_env: Type.Object({
    status: Type.String(),
    pm_uptime: Type.Optional(Type.Number()),
    restart_time: Type.Optional(Type.Number()),
  }),
})

/** The gateway as PM2 knows it. */
interface GatewayProcess {
  readonly id: number
  /** Such as `online`, `stopped` or `errored`. */
  readonly status: string
  /** In milliseconds since 1970; null if it was never started. */
  readonly startedAt: number | null
  readonly restarts: number
  readonly memoryBytes: number
  /** Of one processor. */
  readonly cpuPercent: number
}

/** True if the service that starts PM2 runs; any command of PM2 would otherwise start a daemon below the panel. */
export async function isManaged({ files, services }: Pick<Host, 'files' | 'services'>): Promise<boolean> {
  return (await files.facts(unitPath)) !== undefined && (await services.status(serviceName)).active
}

/** Runs a command of PM2 as the account of the gateway. */
export async function runPm2(host: Host, ...args: readonly string[]): Promise<RunResult> {
  const [program, account] = await Promise.all([findProgram(host), host.accounts.find(accountName)])
  if (program === undefined) throw Unavailable('PM2 is not installed')
  if (account === undefined) throw Unavailable(`There is no account ${accountName}`)
  return host.run([program.node, program.path, ...args], {
    ...limits,
    as: { uid: account.uid, gid: account.gid },
    cwd: homeDirectory,
    env: { HOME: homeDirectory, PM2_HOME: `${homeDirectory}/.pm2`, NO_COLOR: '1' },
  })
}

/** Reads the gateway from PM2; undefined where PM2 does not run, or does not know it. */
export async function readProcess(host: Host): Promise<GatewayProcess | undefined> {
  if (!(await isManaged(host))) return undefined
  const result = await runPm2(host, '-s', 'jlist')
  const listed = jsonOf(result.stdout)
  if (result.code !== 0 || !Array.isArray(listed)) throw failed(result)
  for (const each of listed) if (Check(Listed, each) && each.name === processName) return processOf(each)
  return undefined
}

/** The whole environment of the process, which PM2 lists too, is left out. */
const processOf = ({ pm_id, monit, pm2_env }: Static<typeof Listed>): GatewayProcess => ({
  id: pm_id,
  status: pm2_env.status,
  startedAt: pm2_env.pm_uptime ?? null,
  restarts: Math.max(0, Math.round(pm2_env.restart_time ?? 0)),
  memoryBytes: Math.max(0, Math.round(monit?.memory ?? 0)),
  cpuPercent: Math.max(0, monit?.cpu ?? 0),
})

/** The failure of a command of PM2, with what it printed. */
export function failed(result: Pick<RunResult, 'code' | 'stdout' | 'stderr'>): Error {
  const output = outputOf(result)
  const reason = output.split('\n').findLast((line) => line !== '') ?? `exit status ${result.code}`
  return ProcessManagerFailed(reason.slice(0, 500), { fields: { output } })
}

/** What a command has printed, without colours. */
export const outputOf = ({ stdout, stderr }: Pick<RunResult, 'stdout' | 'stderr'>): string =>
  stripVTControlCharacters(`${stdout}${stderr}`).trim().slice(0, 20_000)

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
