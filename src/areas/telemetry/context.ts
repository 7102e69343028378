import { createHash, timingSafeEqual } from 'node:crypto'
import { area } from '../../core/area.ts'
import type { KeyVerdict } from '../../core/guard.ts'
import { rangesOf } from '../../host/fetch/index.ts'
import type { Deps } from '../deps.ts'
import { type Licence, licence } from '../licence/index.ts'
import { listOf } from '../settings/index.ts'
import { type System, system } from '../system/index.ts'

/** What a monitoring server may read and send. */
export interface Telemetry {
  readonly licence: Licence
  readonly sampler: System['sampler']
  readonly version: string
  /** True if callers must present the shared secret. */
  readonly hasSecret: boolean
  readonly verdictOn: (sent: string) => KeyVerdict
  /** True if an address may ping. */
  readonly mayPing: (address: string) => boolean
}

/** Binds the area to the licence, the samples of the host and the settings. */
export function openTelemetry({ use, settings: { configuration, version } }: Deps): Telemetry {
  const { telemetry_secret: secret = '', telemetry_allow: allow = '' } = configuration.running
  const allowed = listOf(allow)
  const ranges = rangesOf(allowed)
  const wanted = digestOf(secret)
  return {
    licence: use(licence).licence,
    sampler: use(system).system.sampler,
    version,
    hasSecret: secret !== '',
    verdictOn: (sent) => {
      if (secret === '') return 'unset'
      return timingSafeEqual(digestOf(sent), wanted) ? 'valid' : 'wrong'
    },
    mayPing: (address) => allowed.length === 0 || ranges.has(address),
  }
}

/** Digests have one length, so that the comparison tells nothing about that of the secret. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()

export interface Context {
  readonly telemetry: Telemetry
}

export const { endpoint } = area.of<Context>()
