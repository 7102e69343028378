import { poll } from '../../src/core/poll.ts'

/** The limit of a wait, which only a hang exceeds. */
export const hangMs = 60_000

interface Limits {
  /** Default: `hangMs`. A limit below it is raised to it: a busy machine is slow, not wrong. */
  readonly limitMs?: number
  /** Default: 5 milliseconds. */
  readonly everyMs?: number
  /** The description of the condition in the failure. Default: its source. */
  readonly awaited?: string
}

type Met<Answer> = Exclude<Answer, undefined | false>

/** Polls until the result is neither undefined nor false, and resolves with it; rejects after a limit. */
export async function until<Answer>(
  ask: () => Answer | Promise<Answer>,
  { limitMs = hangMs, everyMs = 5, awaited = ask.toString() }: Limits = {},
): Promise<Met<Answer>> {
  const attempt = async () => {
    const answer = await ask()
    return answer === undefined || answer === false ? undefined : { met: answer as Met<Answer> }
  }
  const longestMs = Math.max(limitMs, hangMs)
  const found = await poll(attempt, { limitMs: longestMs, everyMs })
  if (found === undefined) throw new Error(`waited ${longestMs} ms in vain for ${awaited}`)
  return found.met
}
