import { change, type Change, step, type StepKind } from '../../core/change.ts'
import { poll } from '../../core/poll.ts'
import { problem } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { finalStep } from '../../core/steps.ts'
import type { Run } from '../../host/run.ts'
import type { Process, ProcessOrder } from './model.ts'
import { lock } from '../../core/lock.ts'

export const PsFailed = problem('ps_error', 500, 'The processes could not be listed')
export const KillFailed = problem('kill_failed', 500, 'The process could not be killed')
export const ProtectedProcess = problem('forbidden', 400, 'This process must not be killed')

const processLock = lock('process')
const mostShown = 50
const sortKeys: Readonly<Record<ProcessOrder, string>> = { cpu: '-pcpu', mem: '-pmem', pid: '-pid' }
const columns = 'pid=,user:32=,pcpu=,pmem=,rss=,args='

/** Lists up to 50 processes of the host, in descending order (ps(1): CPU time is averaged over the life of the process). */
export async function listProcesses(run: Run, order: ProcessOrder): Promise<Process[]> {
  const { code, stdout, stderr } = await run(
    ['ps', '-e', '--width', '1100', '-o', columns, '--sort', sortKeys[order]],
    {
      timeoutMs: 10_000,
      maxBytes: 8 * 1024 * 1024,
    },
  )
  if (code !== 0) throw PsFailed(stderr.trim().slice(0, 500) || `ps ended with exit status ${code}`)
  return parseProcesses(stdout).slice(0, mostShown)
}

const line = /^\s*(\d+)\s+(\S+)\s+([\d.]+)\s+([\d.]+)\s+(\d+)\s+(.*)$/

/** Parses the output of ps with the columns above. */
export function parseProcesses(output: string): Process[] {
  return output.split('\n').flatMap((text) => {
    const [found, pid, user = '', cpu, mem, rss, command = ''] = line.exec(text) ?? []
    if (found === undefined) return []
    return {
      pid: Number(pid),
      user,
      cpu: Number(cpu),
      mem: Number(mem),
      rss_mb: Math.round((Number(rss) / 1024) * 10) / 10,
      command: command.slice(0, 1000),
    }
  })
}

interface KillArgs {
  readonly pid: number
  /** The start of the process: a pid that was assigned again names another process. */
  readonly startedAt: string
  /** The program's name, without arguments: these may contain secrets, and the activity log keeps the title. */
  readonly program: string
  /** The seconds between SIGTERM and SIGKILL; absent or 0 if there is no SIGTERM. */
  readonly graceSeconds?: number
}

/** The step that kills a process. It is found by its pid and the start that ps reports. */
export function killStep(run: Run): StepKind<KillArgs, null, null> {
  return finalStep({
    name: 'system.kill',
    plan: ({ pid, program, graceSeconds = 0 }) => ({
      title: `Kill process ${pid} (${program})`,
      ...(graceSeconds > 0 && { details: [`SIGKILL follows if it has not ended after ${graceSeconds} s`] }),
      commands: [...(graceSeconds > 0 ? [signalCommand('TERM', pid)] : []), signalCommand('KILL', pid)],
    }),
    why: 'the process loses what it has not stored',
    observe: async ({ pid, startedAt }) => {
      if (!(await isSame(run, pid, startedAt))) throw KillFailed(`pid: ${pid} has ended`)
      return null
    },
    act: async (args, { signal }) => {
      if (await endsByItself(run, args, signal)) return null
      const { code, stderr } = await run(signalCommand('KILL', args.pid), { timeoutMs: 5000 })
      if (code !== 0) throw KillFailed(`pid: ${args.pid}: ${stderr.trim().slice(0, 500)}`)
      return null
    },
    isDone: async ({ pid, startedAt }) => !(await isSame(run, pid, startedAt)),
  })
}

/** True if SIGTERM was enough. A process that cannot be signalled is left to SIGKILL, whose message is answered. */
async function endsByItself(
  run: Run,
  { pid, startedAt, graceSeconds = 0 }: KillArgs,
  signal: AbortSignal,
): Promise<boolean> {
  if (graceSeconds === 0) return false
  await run(signalCommand('TERM', pid), { timeoutMs: 5000 })
  const hasEnded = async () => ((await isSame(run, pid, startedAt)) ? undefined : true)
  return (await poll(hasEnded, { limitMs: graceSeconds * 1000, everyMs: 200, signal })) ?? false
}

const signalCommand = (name: 'TERM' | 'KILL', pid: number): [string, ...string[]] => [
  'kill',
  `-${name}`,
  '--',
  String(pid),
]

const isSame = async (run: Run, pid: number, startedAt: string): Promise<boolean> =>
  (await readProcess(run, pid))?.startedAt === startedAt

/** Kills a process, except PID 1 and the panel itself. */
export async function killProcess(
  { run, kill }: { readonly run: Run; readonly kill: ReturnType<typeof killStep> },
  pid: number,
  graceSeconds: number,
): Promise<Change<{ success: true }>> {
  if (pid === 1 || pid === process.pid)
    throw ProtectedProcess(`pid: ${pid} is ${pid === 1 ? 'the init process' : 'the panel'}`)
  const found = await readProcess(run, pid)
  if (found === undefined) throw KillFailed(`pid: no process has the id ${pid}`)
  return change({
    summary: `Kill process ${pid} (${found.program})`,
    locks: [processLock(pid)],
    steps: [step(kill, { pid, ...found, graceSeconds })],
    reply: success,
  })
}

async function readProcess(
  run: Run,
  pid: number,
): Promise<Pick<KillArgs, 'startedAt' | 'program'> | undefined> {
  const { code, stdout } = await run(
    ['ps', '--width', '300', '-o', 'lstart=,stat=,comm=', '-p', String(pid)],
    {
      timeoutMs: 5000,
    },
  )
  const [found, startedAt = '', state = '', program = ''] =
    /^(\w+ +\w+ +\d+ +[\d:]+ +\d+) +(\S+) +(.*)$/m.exec(stdout.trim()) ?? []
  if (code !== 0 || found === undefined || state.startsWith('Z')) return undefined
  return { startedAt, program: program.slice(0, 100) }
}
