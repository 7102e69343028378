import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'
import { type System, system } from '../system/index.ts'
import { type Captures, openCaptures } from './captures.ts'
import { type NettoolsQueries, nettoolsQueries } from './store.ts'

/** The network tools, as the verbs of the area reach them. */
export interface Nettools {
  readonly queries: NettoolsQueries
  readonly addresses: Host['addresses']
  readonly files: Host['files']
  readonly tools: Pick<Tools, 'ping' | 'traceroute' | 'httping' | 'tcpdump' | 'programSteps'>
  readonly system: System
  readonly captures: Captures
}

/** Binds the area to the programs. */
export function openNettools({ store, host, tools, use }: Deps): Nettools {
  return {
    queries: nettoolsQueries(store),
    addresses: host.addresses,
    files: host.files,
    tools,
    system: use(system).system,
    captures: openCaptures({ tcpdump: tools.tcpdump, files: host.files }),
  }
}

export interface Context {
  readonly nettools: Nettools
}

export const { endpoint, work } = area.of<Context>()
