import type { HaproxyStarter } from './start.ts'
import { poll } from '../../core/poll.ts'
import { Unavailable } from '../../core/problem.ts'
import type { EditedTool } from '../../host/apply/edited-tool.ts'
import type { Activation } from '../../host/apply/tool.ts'
import type { Host } from '../../host/index.ts'
import type { HaproxyLayout } from './layout.ts'
import { findRefusedAddress } from './ports.ts'
import { pollIntervalMs } from './poll-interval.ts'
import type { HaproxyProgram } from './program.ts'
import { servesCurrentFile } from './serves.ts'
import type { KeepingStates } from './states.ts'

interface HaproxyParts {
  readonly host: Host
  readonly layout: HaproxyLayout
  readonly program: HaproxyProgram
  readonly starter: HaproxyStarter
  /**
   * Saves the states that were set through the socket only; the returned function makes a reload that keeps
   * them.
   */
  readonly keep: () => Promise<KeepingStates>
}

const activateMs = 10_000

/** Returns HAProxy as the tool that `host.applyEdit` uses. */
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
      return isAccepted
        ? findRefusedAddress(parts, candidatePath)
        : message || 'haproxy -c failed without a message'
    },
    activate: () => activate(parts, activateMs + 2 * readingMs),
    isServed: () => servesCurrentFile(parts),
  }
}

/** Never starts a stopped HAProxy: the file takes effect at its next start. */
async function activate(parts: HaproxyParts, limitMs: number): Promise<Activation> {
  const { program } = parts
  const outgoing = await program.running()
  if (outgoing.length === 0) return { outcome: 'stopped', message: '' }
  const keepingStates = await parts.keep()
  const before = await program.processes()
  return keepingStates(() =>
    before === undefined ? reloadByScript(parts, outgoing, limitMs) : reloadByMaster(parts, before, limitMs),
  )
}

/** The master counts its reloads and reports whether the last one failed. */
async function reloadByMaster(
  { program, starter }: HaproxyParts,
  before: { readonly master: number; readonly reloads: number },
  limitMs: number,
): Promise<Activation> {
  const since = Date.now()
  program.signalReload(before.master)
  const hasReloaded = async () => {
    const now = await program.processes()
    return now !== undefined &&
      now.master === before.master &&
      now.reloads > before.reloads &&
      (now.failed > 0 || now.workers.length > 0)
      ? now
      : undefined
  }
  const after = await poll(hasReloaded, { limitMs, everyMs: pollIntervalMs })
  if (after?.failed === 0) return { outcome: 'live', message: '' }
  const message = await starter.errorsSince(since)
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
  const hasTakenOver = async () => {
    const running = await program.running()
    return running.length > 0 && !running.some((pid) => outgoing.includes(pid)) ? true : undefined
  }
  const isReplaced = await poll(hasTakenOver, { limitMs, everyMs: pollIntervalMs })
  return isReplaced
    ? { outcome: 'live', message: '' }
    : { outcome: 'refused', message: `no new process of HAProxy took over within ${Math.round(limitMs)} ms` }
}
