import { Problem } from '../../core/problem.ts'
import { repeat, type Repeated } from '../../core/repeat.ts'
import { connectProblems } from '../../host/connect/index.ts'
import type { SqlReplication } from './context.ts'
import { beatMs, readLag } from './lag.ts'

/** So many turns pass before it is looked again whether a replica follows. */
const restTurns = 5
/** So many turns pass between two samples of the lag. */
const sampleTurns = 15

/** Writes the heartbeat of a primary while replicas follow it, and records the lag of a replica. */
export const beginPulse = (on: SqlReplication): { stop(): Promise<void> } =>
  repeat({ everyMs: beatMs, ...openPulse(on) })

/** Opens the work of each second. */
export function openPulse(on: SqlReplication): Pick<Repeated, 'failed'> & { work(): Promise<void> } {
  const beats = openBeats(on)
  let rest = 0
  let isFailing = false
  return {
    work: async () => {
      rest -= 1
      if (rest > 0) return
      rest = restTurns // where it fails
      rest = await turn(on, beats)
      isFailing = false
    },
    failed: (error) => {
      beats.end()
      const isStopped = error instanceof Problem && error.kind === connectProblems.NotAnswering
      if (!isStopped && !isFailing)
        on.log.warn({ err: error }, 'the heartbeat of replication was neither written nor read')
      isFailing = !isStopped
    },
  }
}

/** Does what the role asks for; returns in how many turns it is to be done again. */
async function turn(on: SqlReplication, beats: Beats): Promise<number> {
  const role = (await on.queries.role())?.role
  if (role !== 'replica') on.lags.clear()
  if (role !== 'primary') beats.end()
  if (role === 'primary') return (await beats.write()) ? 1 : restTurns
  if (role !== 'replica') return restTurns
  await record(on)
  return sampleTurns
}

interface Beats {
  /** Writes a heartbeat; false if no replica follows. */
  write(): Promise<boolean>
  /** Has the next one look again whether a replica follows. */
  end(): void
}

/** Writes heartbeats, and looks each few seconds whether a replica follows: what nobody receives would only fill the log. */
function openBeats({ tool }: SqlReplication): Beats {
  let serverId: number | undefined
  let left = 0
  const look = async () => {
    if ((await tool.listFollowers()).length === 0) return undefined
    if ((await tool.readReplica()) !== undefined) return undefined // somebody has it follow another: nothing is written there
    await tool.makeHeartbeatTable() // of a primary whose replicas joined before there was one
    return (await tool.readPosition()).serverId
  }
  return {
    write: async () => {
      if (left === 0) {
        serverId = await look()
        left = restTurns
      }
      left -= 1
      if (serverId === undefined) {
        left = 0
        return false
      }
      await tool.writeHeartbeat({ serverId, at: Date.now() })
      return true
    },
    end: () => {
      left = 0
      serverId = undefined
    },
  }
}

async function record(on: SqlReplication): Promise<void> {
  const status = await on.tool.readReplica()
  if (status === undefined) return
  const { seconds } = await readLag(on.tool, status)
  if (seconds !== null) on.lags.add({ at: new Date().toISOString(), seconds })
}
