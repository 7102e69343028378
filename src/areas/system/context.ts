import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import type { Deps } from '../deps.ts'
import { openSampler, type Sampler } from './metrics/sampler.ts'
import { sampleQueries } from './store.ts'

/** The host, as the verbs of the area reach it. */
export interface System {
  readonly machine: Host['machine']
  readonly addresses: Host['addresses']
  readonly sampler: Sampler
  readonly partsOf: Deps['partsOf']
  /** Where the public address is looked up; empty where it is not. */
  readonly publicIpUrl: string
  /** The version of the panel. */
  readonly version: string
}

/** Binds the area to the host and the store. */
export function openSystem({
  host,
  store,
  log,
  settings: { version, configuration },
  partsOf,
}: Deps): System {
  const { machine, addresses } = host
  const sampler = openSampler({ machine, queries: sampleQueries(store), log })
  return {
    machine,
    addresses,
    sampler,
    partsOf,
    version,
    publicIpUrl: configuration.running['public_ip_url'] ?? '',
  }
}

export interface Context {
  readonly system: System
}

export const { endpoint } = area.of<Context>()
