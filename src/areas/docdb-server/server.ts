import { type Change, change, step } from '../../core/change.ts'
import { Problem, Unavailable } from '../../core/problem.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { type DocdbServer, serverLock } from './context.ts'
import type { DocdbStatus, DocdbSwitched } from './model.ts'

const noFigures = { uptime: 0, connections: 0, memory_mb: 0, data_size: 0 }

/** Reads whether the server runs, with figures; those are zero while it does not answer. */
export async function readStatus({ tool }: DocdbServer): Promise<DocdbStatus> {
  const { present, version, reason } = await tool.detect()
  const state = { installed: present, version: version ?? '' }
  const running = present && (await tool.isRunning())
  if (!running) return { ...state, running, ...noFigures, reason }
  try {
    const { uptimeSeconds, connections, memoryMb, dataBytes } = await tool.readStatistics()
    const figures = { uptime: uptimeSeconds, connections, memory_mb: memoryMb, data_size: dataBytes }
    return { ...state, running, ...figures, reason }
  } catch (error) {
    return { ...state, running, ...noFigures, reason: reason ?? reasonOf(error) }
  }
}

/** The reason of a failure that the server or its outage caused; any other error is a bug. */
export function reasonOf(error: unknown): string {
  if (error instanceof Problem) return error.message
  throw error
}

const done = { start: 'is running', stop: 'is stopped', restart: 'was restarted' } as const

/** Starts, stops or restarts the service. */
export async function switchServer(
  on: DocdbServer,
  verb: 'start' | 'stop' | 'restart',
): Promise<Change<DocdbSwitched>> {
  const { present, reason } = await on.tool.detect()
  if (!present) throw Unavailable(reason ?? undefined)
  return change({
    summary: `${verb.charAt(0).toUpperCase()}${verb.slice(1)} the document database server`,
    locks: [serverLock],
    steps: [
      step(on.tool.steps.switchProgram, { verb }),
      ...(verb === 'stop' ? [] : [step(on.tool.steps.awaitAnswer, null)]),
    ],
    reply: { success: true, message: `MongoDB ${done[verb]}` },
  })
}

/** Throws unless the server can be asked. */
export async function assertUsable({ tool }: DocdbServer): Promise<void> {
  const { present, healthy, reason } = await tool.detect()
  if (!present || !healthy) throw Unavailable(reason ?? undefined)
  if (!(await tool.isRunning())) throw connectProblems.NotAnswering('MongoDB is stopped: start it')
}
