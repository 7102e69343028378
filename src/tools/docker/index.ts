import type { Found } from '../../core/tool.ts'
import type { HttpConnection } from '../../host/connect/index.ts'
import { detectByVersion } from '../detection.ts'
import { tool } from '../tool.ts'
import { openEngine } from './engine.ts'
import type { RequestHeaders } from './registry-auth.ts'
import { verbsOf } from './verbs.ts'
import { awaitHealth } from './steps/await-health.ts'
import { type ContainerTerminal, openTerminal } from './exec.ts'
import { openBackups } from './backup.ts'
import { archiveVolumes, commitContainer, restoreVolumes } from './steps/back-up.ts'
import { returnVolumes } from './steps/return-volumes.ts'
import { copyVolumes } from './steps/copy-volumes.ts'
import { createVolume } from './steps/create-volume.ts'
import { limitPorts } from './steps/limit-ports.ts'
import { nameContainer } from './steps/name-container.ts'
import { createContainer } from './steps/create-container.ts'
import { isInEffect, limitsOf, type PortLimit, readTables, writeLimits } from './exposure/limits.ts'
import { createNetwork, removeNetwork } from './steps/create-network.ts'
import { keepVolume, removeVolume } from './steps/keep-volume.ts'
import { pruneObjects } from './steps/prune-objects.ts'
import { removeImage } from './steps/remove-image.ts'
import { pullImage } from './steps/pull-image.ts'
import { removeContainer } from './steps/remove-container.ts'
import { switchContainer } from './steps/switch-container.ts'

export { type PortLimit, userChain } from './exposure/limits.ts'
export { type FilterTable, type PortReach, reachThrough } from './exposure/rules.ts'
export { backupLabel, backupRepository, type Manifest } from './backup.ts'

export { EngineFailed, ImageUnavailable, NameTaken } from './problems.ts'
export { parseReference, parseRegistry, registryOf } from './reference.ts'
export type { RegistryCredentials } from './registry-auth.ts'
export * as shapes from './shapes.ts'
export {
  changeLabel,
  type ContainerSpec,
  type HealthCheck,
  type PublishedPort,
  restartPolicies,
  type VolumeMount,
} from './spec.ts'

export type { ContainerSample } from './stats.ts'
export type { ContainerTerminal }

/** Where the engine listens. */
export const socketPath = '/run/docker.sock'
/** Of an ordinary request; a container has ten seconds to stop. */
const timeoutMs = 60_000

export interface DockerOptions {
  /** The connection to a stand-in for the engine. */
  readonly connection?: HttpConnection
  /** The same for a request with headers of its own. Default: the connection, without them. */
  readonly connectionWith?: (headers: RequestHeaders) => HttpConnection
}

/** Docker Engine as Debian packages it. */
export const docker = tool({
  name: 'docker',
  title: 'Docker Engine',
  packages: ['docker.io'],
  service: 'docker',
  dataDirectories: ['/var/lib/docker'],
  open: ({ host }, { connection, connectionWith }: DockerOptions = {}) => {
    const connect = (headers: RequestHeaders) =>
      host.connect.http({
        name: 'Docker Engine',
        at: { socketPath },
        headers: () => headers,
        timeoutMs,
        maxBytes: 32 * 1024 * 1024,
      })
    return {
      backups: openBackups(host.files),
      engine: openEngine(connection ?? connect({})),
      /** The engine, asked with headers of their own, among them secrets. */
      engineWith: (headers: RequestHeaders) =>
        openEngine(connectionWith?.(headers) ?? connection ?? connect(headers)),
    }
  },
  detect: async ({ host, engine }): Promise<Found> => {
    const found = await detectByVersion(['dockerd', '--version'])({ host })
    if (!found.present) return found
    const isAnswering = await verbsOf(engine).isAnswering()
    return isAnswering
      ? found
      : { ...found, healthy: false, reason: 'Docker Engine does not run: start the service docker' }
  },
  setUp: async ({ host, service }) => {
    await host.services.act(service, 'enable')
    await host.services.act(service, 'start')
  },
  steps: ({ name, host, engine, engineWith, backups }) => ({
    pullImage: pullImage(`${name}.pull-image`, engine, engineWith),
    createContainer: createContainer(`${name}.create-container`, engine),
    switchContainer: switchContainer(`${name}.switch-container`, engine),
    nameContainer: nameContainer(`${name}.name-container`, engine),
    createVolume: createVolume(`${name}.create-volume`, engine),
    copyVolumes: copyVolumes(`${name}.copy-volumes`, engine),
    commitContainer: commitContainer(`${name}.commit-container`, engine),
    archiveVolumes: archiveVolumes(`${name}.archive-volumes`, engine, backups),
    restoreVolumes: restoreVolumes(`${name}.restore-volumes`, engine, backups),
    returnVolumes: returnVolumes(`${name}.return-volumes`, { engine, backups, run: host.run }),
    limitPorts: limitPorts(`${name}.limit-ports`, host.run),
    removeContainer: removeContainer(`${name}.remove-container`, engine),
    awaitHealth: awaitHealth(`${name}.await-health`, engine),
    createNetwork: createNetwork(`${name}.create-network`, engine),
    removeNetwork: removeNetwork(`${name}.remove-network`, engine),
    keepVolume: keepVolume(`${name}.keep-volume`, engine),
    removeVolume: removeVolume(`${name}.remove-volume`, engine),
    removeImage: removeImage(`${name}.remove-image`, engine),
    pruneObjects: pruneObjects(`${name}.prune-objects`, engine),
  }),
  verbs: ({ host, engine, backups }) => ({
    engine,
    backups,
    ...verbsOf(engine),
    /** Reads what filters packets to published ports; undefined for a family that is not filtered. */
    readFilters: () => readTables(host.run),
    /** Writes the limits of ports again where the kernel has lost them. */
    restoreLimits: async (limits: readonly PortLimit[]): Promise<void> => {
      const tables = await readTables(host.run)
      if (tables.ipv4 === undefined || isInEffect(tables)) return
      await writeLimits(host.run, {
        ipv4: limitsOf('ipv4', limits),
        ...(tables.ipv6 && { ipv6: limitsOf('ipv6', limits) }),
      })
    },
    /** Starts a program in a running container, on a terminal of its own. */
    openTerminal: (id: string, command: readonly string[]) =>
      openTerminal({ engine, run: host.run }, id, command),
  }),
})
