import type { StepKind } from '../../core/change.ts'
import { poll } from '../../core/poll.ts'
import { Problem } from '../../core/problem.ts'
import { finalStep } from '../../core/steps.ts'
import type { HttpConnection } from '../../host/connect/index.ts'
import { GatewayUnavailable } from './problems.ts'

/** A probe of the gateway that needs no token. */
export interface Probe {
  readonly isOk: boolean
  readonly detail: string
}

const readyLimitMs = 240_000

/** Asks the gateway for a page, and tells what it answered. */
export async function probe(http: HttpConnection, path: string, isPage = false): Promise<Probe> {
  try {
    const { status, body } = await http.send({ method: 'GET', path })
    const isOk = status === 200 && (!isPage || /<html/i.test(String(body)))
    return { isOk, detail: isOk ? 'answers' : `answers with the status ${status}` }
  } catch (error) {
    if (error instanceof Problem) return { isOk: false, detail: error.message }
    throw error
  }
}

const isReady = async (http: HttpConnection) => (await probe(http, '/readyz')).isOk

/** The step that waits until a gateway that was started is ready, which takes 10 seconds, and minutes on a busy host. */
export const awaitReady = (http: HttpConnection): StepKind<null, null, null> =>
  finalStep<null>({
    name: 'openclaw.await-ready',
    plan: () => ({ title: 'Wait until the assistant is ready' }),
    why: 'it changes nothing',
    act: async (_args, { signal }) => {
      const attempt = async () => ((await isReady(http)) ? true : undefined)
      if (await poll(attempt, { limitMs: readyLimitMs, everyMs: 250, signal })) return null
      signal.throwIfAborted()
      throw GatewayUnavailable(`OpenClaw is not ready: ${(await probe(http, '/readyz')).detail}`)
    },
    isDone: () => isReady(http),
  })
