import type { Static } from 'typebox'
import { changeLabel, type ContainerSpec, type HealthCheck, type shapes } from '../../tools/docker/index.ts'
import { loadContainer, nameOf, replacesLabel } from './containers.ts'
import type { Containers } from './context.ts'
import { dangersOf } from './draft.ts'
import type { ContainerConfig, Inspection } from './model.ts'

export { loadContainer as load } from './containers.ts'

const bullets = '••••••••'

/** Returns the settings of a container as an edit takes them, with masked values of its environment. */
export async function readConfig(on: Containers, id: string): Promise<Static<typeof ContainerConfig>> {
  const found = await loadContainer(on, id)
  const spec = await specOf(on, found)
  return {
    image: spec.image,
    name: spec.name,
    ports: spec.ports.map(portText),
    env: spec.env.map(maskVariable),
    volumes: spec.volumes.map(
      ({ source, target, isReadOnly }) => `${source}:${target}${isReadOnly ? ':ro' : ''}`,
    ),
    restart_policy: spec.restartPolicy,
    command: spec.command.join(' '),
    network: spec.network,
    privileged: spec.isPrivileged ?? false,
    memory_mb: Math.round((spec.memoryBytes ?? 0) / 1024 / 1024),
    cpus: spec.cpus ?? 0,
    confirm: [...dangersOf(spec)],
  }
}

function portText({ ip, host, container, protocol }: ContainerSpec['ports'][number]): string {
  const address = ip.includes(':') ? `[${ip}]:` : ip && `${ip}:`
  return `${address}${host}:${container}${protocol === 'udp' ? '/udp' : ''}`
}

const maskVariable = (text: string): string => `${text.slice(0, text.indexOf('='))}=${bullets}`

/** Reads the settings of a container back from the engine: what it has beyond its image, and its volumes by name. */
export async function specOf(
  { docker }: Pick<Containers, 'docker'>,
  found: shapes.Inspected,
): Promise<ContainerSpec> {
  const image = await docker.findImage(found.Image)
  const inherited = new Set(image?.Config?.Env)
  const { Config, HostConfig } = found
  const command = Config.Cmd ?? []
  const isInherited = JSON.stringify(command) === JSON.stringify(image?.Config?.Cmd ?? [])
  return {
    name: nameOf(found),
    image: Config.Image,
    env: (Config.Env ?? []).filter((each) => !inherited.has(each)),
    command: isInherited ? [] : command,
    ports: portsOf(HostConfig.PortBindings),
    volumes: found.Mounts.filter(({ Type }) => Type === 'bind' || Type === 'volume').map(
      ({ Name = '', Type, Source, Destination, RW }) => ({
        source: Type === 'volume' ? Name : Source,
        target: Destination,
        isReadOnly: !RW,
      }),
    ),
    restartPolicy: policyOf(HostConfig.RestartPolicy.Name),
    network: HostConfig.NetworkMode === 'default' ? 'bridge' : HostConfig.NetworkMode,
    isPrivileged: HostConfig.Privileged,
    memoryBytes: HostConfig.Memory,
    cpus: HostConfig.NanoCpus / 1_000_000_000,
    aliases: aliasesOf(found),
    labels: labelsOf(found, image),
    ...healthOf(found, image),
  }
}

/** The names in its network besides the digits of its id, which the engine adds. */
const aliasesOf = ({ Id, HostConfig, NetworkSettings }: shapes.Inspected): readonly string[] =>
  (NetworkSettings?.Networks?.[HostConfig.NetworkMode]?.Aliases ?? []).filter((each) => !Id.startsWith(each))

/** The labels of its own: those of a change are set anew by the next one. */
function labelsOf({ Config }: shapes.Inspected, image: shapes.InspectedImage | undefined) {
  const inherited = image?.Config?.Labels ?? {}
  return Object.fromEntries(
    Object.entries(Config.Labels ?? {}).filter(
      ([key, value]) => inherited[key] !== value && key !== changeLabel && key !== replacesLabel,
    ),
  )
}

const nsPerMs = 1_000_000

function healthOf({ Config }: shapes.Inspected, image: shapes.InspectedImage | undefined) {
  const own = Config.Healthcheck
  if (!own?.Test?.length || JSON.stringify(own) === JSON.stringify(image?.Config?.Healthcheck)) return {}
  const { Test: test, Interval = 0, Timeout = 0, StartPeriod = 0, Retries: retries = 0 } = own
  const healthCheck: HealthCheck = {
    test,
    intervalMs: Interval / nsPerMs,
    timeoutMs: Timeout / nsPerMs,
    startPeriodMs: StartPeriod / nsPerMs,
    retries,
  }
  return { healthCheck }
}

const policyOf = (name: string): ContainerSpec['restartPolicy'] =>
  name === 'always' || name === 'unless-stopped' || name === 'on-failure' ? name : 'no'

function portsOf(bindings: shapes.Inspected['HostConfig']['PortBindings']): ContainerSpec['ports'] {
  return Object.entries(bindings ?? {}).flatMap(([key, bound]) =>
    (bound ?? []).map(({ HostIp, HostPort }) => ({
      ip: HostIp,
      host: Number(HostPort),
      container: Number.parseInt(key, 10),
      protocol: key.endsWith('/udp') ? ('udp' as const) : ('tcp' as const),
    })),
  )
}

/** Returns what the engine knows of a container; every value of its environment is masked wherever it appears as a variable. */
export async function inspect(on: Containers, id: string): Promise<Static<typeof Inspection>> {
  const found = await loadContainer(on, id)
  const { Config, ...rest } = found
  return {
    id: found.Id,
    name: nameOf(found),
    inspection: { ...rest, Config: { ...Config, Env: (Config.Env ?? []).map(maskVariable) } },
  }
}
