import { type Change, change } from '../../core/change.ts'
import { Forbidden } from '../../core/problem.ts'
import { mask } from '../../core/secret.ts'
import { activateLicence, licenceInForce, summaryOf } from '../licence/index.ts'
import type { Telemetry } from './context.ts'
import type { Ping, PushedLicence, TelemetryMetrics } from './model.ts'

const shownSeconds = 30 * 60

/** Tells that the panel runs, and with which licence; the key in full only to those who know the secret (decision 2.6). */
export function ping({ licence, version, hasSecret, mayPing }: Telemetry, address: string, now: Date): Ping {
  if (!mayPing(address)) throw Forbidden('this address is not among those that may ping')
  const document = licence.file.current()
  if (document === undefined) return { version, status: 'running' }
  const summary = summaryOf(document, now)
  const key = hasSecret ? summary.key : mask(summary.key)
  return { version, status: 'running', license: { ...summary, key } }
}

/** Returns the samples of the last 30 minutes. */
export async function readMetrics({ sampler }: Telemetry, now: Date): Promise<TelemetryMetrics> {
  const samples = await sampler.since(Math.floor(now.getTime() / 1000) - shownSeconds)
  return { metrics: samples.map(({ load: _load, ...sample }) => sample) }
}

/** Activates the licence of a key, unless a licence is in force. */
export function pushLicence(
  { licence }: Telemetry,
  key: string | undefined,
  now: Date,
): Change<PushedLicence> {
  const activation = activateLicence<PushedLicence>(licence, key, (activated) => ({ data: activated }))
  const current = licenceInForce(licence, now)
  if (current === undefined) return activation
  return change({
    summary: 'Keep the licence that is in force',
    reply: { status: 'already_licensed' as const, tier: current.tier },
  })
}
