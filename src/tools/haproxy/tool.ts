import { Unavailable } from '../../core/problem.ts'
import type { EditedTool } from '../../host/apply/edited-tool.ts'
import type { Activation } from '../../host/apply/tool.ts'
import type { Host } from '../../host/index.ts'
import type { HaproxyLayout } from './layout.ts'
import { placeRefused } from './ports.ts'
import { pause } from './pause.ts'
import type { HaproxyProgram } from './program.ts'
import { servesWhatLies } from './serves.ts'

/** How HAProxy is started, stopped, and reloaded where it has no master, and what it complained of. */
export interface HaproxyStarter {
  start(): Promise<void>
  stop(): Promise<void>
  /** Through the init script, whose words it throws. */
  reload(): Promise<void>
  /** What HAProxy wrote since this time, in milliseconds since 1970; undefined where nobody keeps it. */
  complaints(since: number): Promise<string | undefined>
}

interface HaproxyParts {
  readonly host: Host
  readonly layout: HaproxyLayout
  readonly program: HaproxyProgram
  readonly starter: HaproxyStarter
  /** Remembers what was set through the socket alone; what it gives brings that back in new processes. */
  readonly keep: () => Promise<() => Promise<void>>
}

const activateMs = 10_000

/** HAProxy as `host.applyEdit` drives it. */
export function haproxyTool(parts: HaproxyParts): EditedTool {
  const { layout, program } = parts
  let readingMs = 0
  return {
    name: 'haproxy',
    kind: 'edited',
    path: layout.configPath,
    checkCommand: ['haproxy', '-c', '-f', layout.configPath],
    assertAvailable: async () => {
      if ((await program.version()) === undefined) throw Unavailable('HAProxy is not installed')
    },
    check: async (candidatePath) => {
      const { isAccepted, message, durationMs } = await program.check(candidatePath)
      readingMs = Math.max(durationMs, readingMs / 2)
      return isAccepted ? placeRefused(parts, candidatePath) : message || 'haproxy -c failed without a word'
    },
    activate: () => activate(parts, activateMs + 2 * readingMs),
    isServed: () => servesWhatLies(parts),
  }
}

/** Never starts a HAProxy that does not run: the file waits for its start. */
async function activate(parts: HaproxyParts, limitMs: number): Promise<Activation> {
  const { program } = parts
  const outgoing = await program.running()
  if (outgoing.length === 0) return { outcome: 'stopped', message: '' }
  const bringBack = await parts.keep()
  const before = await program.processes()
  const activation =
    before === undefined
      ? await reloadByScript(parts, outgoing, limitMs)
      : await reloadByMaster(parts, before, limitMs)
  if (activation.outcome === 'live') await bringBack()
  return activation
}

/** The master counts its reloads, and says whether the last one failed. */
async function reloadByMaster(
  { program, starter }: HaproxyParts,
  before: { readonly master: number; readonly reloads: number },
  limitMs: number,
): Promise<Activation> {
  const since = Date.now()
  program.signalReload(before.master)
  const after = await until(limitMs, async () => {
    const now = await program.processes()
    return now !== undefined &&
      now.master === before.master &&
      now.reloads > before.reloads &&
      (now.failed > 0 || now.workers.length > 0)
      ? now
      : undefined
  })
  if (after?.failed === 0) return { outcome: 'live', message: '' }
  const message = await starter.complaints(since)
  return {
    outcome: 'refused',
    message:
      message ||
      `HAProxy ${after === undefined ? `did not answer within ${Math.round(limitMs)} ms` : 'kept its old configuration'}, and its log does not say why`,
  }
}

async function reloadByScript(
  { program, starter }: HaproxyParts,
  outgoing: readonly number[],
  limitMs: number,
): Promise<Activation> {
  await starter.reload()
  const isTaken = await until(limitMs, async () => {
    const running = await program.running()
    return running.length > 0 && !running.some((pid) => outgoing.includes(pid)) ? true : undefined
  })
  return isTaken
    ? { outcome: 'live', message: '' }
    : { outcome: 'refused', message: `no new process of HAProxy took over within ${Math.round(limitMs)} ms` }
}

async function until<Answer>(
  limitMs: number,
  askOnce: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const end = performance.now() + limitMs
  for (;;) {
    const answer = await askOnce()
    if (answer !== undefined || performance.now() > end) return answer
    await pause(end - limitMs)
  }
}
