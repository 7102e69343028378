import type { ReplicaStatus } from '../../tools/mariadb/index.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { LagSample } from './model.ts'

/** How often the panel of a primary writes a heartbeat while a replica follows. */
export const beatMs = 1000

/** Longer than the server takes to notice that a link is dead. */
const staleMs = 120_000

/** How far a replica is behind, and by what that is known. */
interface Lag {
  readonly seconds: number | null
  readonly source: 'heartbeat' | 'server' | null
}

/**
 * Returns the age of the last heartbeat that was applied. Where it is older than what the server says by more than a dead
 * link explains, the panel of the primary writes none, and what the server says counts.
 */
export function lagOf(beatAt: number | undefined, serverSeconds: number | null, now: number): Lag {
  const ofServer = { seconds: serverSeconds, source: serverSeconds === null ? null : 'server' } as const
  if (beatAt === undefined) return ofServer
  const ageMs = Math.max(0, now - beatAt - beatMs) // the next one is due only then
  if (serverSeconds !== null && ageMs > serverSeconds * 1000 + staleMs) return ofServer
  return { seconds: Math.floor(ageMs / 1000), source: 'heartbeat' }
}

/** Reads how far a replica is behind. */
export async function readLag(
  tool: Pick<Tools['mariadb'], 'readHeartbeat'>,
  { primaryId, lagSeconds }: Pick<ReplicaStatus, 'primaryId' | 'lagSeconds'>,
): Promise<Lag> {
  const beatAt = primaryId === 0 ? undefined : await tool.readHeartbeat(primaryId)
  return lagOf(beatAt, lagSeconds, Date.now())
}

const historyMs = 3_600_000

/** The lag of this replica in the last hour; it is forgotten when the panel stops. */
export interface LagHistory {
  add(sample: LagSample): void
  /** The samples of the last hour, the oldest first. */
  list(now: Date): readonly LagSample[]
  clear(): void
}

/** Opens an empty history. */
export function openLagHistory(): LagHistory {
  let samples: readonly LagSample[] = []
  const recent = (now: Date) =>
    samples.filter(({ at }) => {
      const age = now.getTime() - Date.parse(at)
      return age >= 0 && age <= historyMs // the clock may have been set back
    })
  return {
    add: (sample) => void (samples = [...recent(new Date(sample.at)), sample]),
    list: recent,
    clear: () => void (samples = []),
  }
}
