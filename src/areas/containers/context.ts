import { area } from '../../core/area.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Store } from '../../store/store.ts'
import type { Log } from '../../core/log.ts'
import { type Certificates, certificates } from '../certificates/index.ts'
import type { Deps } from '../deps.ts'
import { type Firewall, firewall, inputRules, isInEffect } from '../firewall/index.ts'
import { type Websites, websites } from '../websites/index.ts'
import { openWebPorts, type Publications } from './publications.ts'

/** Docker Engine of this host, as the verbs of the area reach it. */
export interface Containers {
  readonly docker: Tools['docker']
  readonly websites: Websites
  readonly certificates: Certificates
  readonly firewall: Firewall
  /** The ids of the websites that are being published. */
  readonly published: Publications['published']
  readonly openWebPorts: ReturnType<typeof openWebPorts>
  readonly store: Store
  readonly log: Log
}

/** Binds the area to the engine of this host. */
export function openContainers({ tools: { docker }, store, log, use }: Deps): Containers {
  const filter = use(firewall).firewall
  const published = new Set<number>()
  return {
    docker,
    websites: use(websites).websites,
    certificates: use(certificates).certificates,
    firewall: filter,
    published,
    openWebPorts: openWebPorts('containers.open-web-ports', {
      published,
      isFirewallOn: async () => (await inputRules(filter)) !== undefined,
      isInEffect: () => isInEffect(filter),
    }),
    store,
    log,
  }
}

export interface Context {
  readonly containers: Containers
}

export const { endpoint, work } = area.of<Context>()
