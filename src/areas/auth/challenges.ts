import { randomBytes } from 'node:crypto'

const lifeMs = 5 * 60_000
const most = 10_000

/** What a challenge is for: a new passkey of a user at an origin, or the proof of any passkey. */
export interface ChallengeUse {
  readonly userId?: number
  readonly origin?: string
}

interface Issued extends ChallengeUse {
  readonly until: number
  /** The request that has used it, which may be decided twice. */
  takenBy?: string
}

/** Challenges of WebAuthn, each used once within five minutes. */
export interface Challenges {
  issue(use: ChallengeUse): string
  /** Uses up a challenge; undefined if it is unknown, expired or was used by another request. */
  take(challenge: string, requestId: string): ChallengeUse | undefined
}

/** Opens the challenges; they are in memory, and the oldest give way to new ones. */
export function openChallenges(clock: () => number = () => performance.now()): Challenges {
  const issued = new Map<string, Issued>()
  return {
    issue: (use) => {
      for (const [challenge, { until }] of issued) {
        if (until > clock() && issued.size < most) break // in the order in which they were issued
        issued.delete(challenge)
      }
      const challenge = randomBytes(32).toString('base64url')
      issued.set(challenge, { ...use, until: clock() + lifeMs })
      return challenge
    },
    take: (challenge, requestId) => {
      const found = issued.get(challenge)
      if (found === undefined || found.until <= clock()) return undefined
      if (found.takenBy !== undefined && found.takenBy !== requestId) return undefined
      found.takenBy = requestId
      return found
    },
  }
}
