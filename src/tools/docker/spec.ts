/** A port of a container that is published on the host. */
export interface PublishedPort {
  /** Empty for every address of the host. */
  readonly ip: string
  readonly host: number
  readonly container: number
  readonly protocol: 'tcp' | 'udp'
}

/** A folder of the host, or a named volume, in a container. */
export interface VolumeMount {
  /** An absolute path of the host, or the name of a volume. */
  readonly source: string
  readonly target: string
  readonly isReadOnly: boolean
}

/** How the engine tells that a container works. */
export interface HealthCheck {
  /** A command inside the container, as the engine writes it: `['CMD', 'redis-cli', 'ping']`. */
  readonly test: readonly string[]
  readonly intervalMs: number
  readonly timeoutMs: number
  readonly retries: number
  readonly startPeriodMs: number
}

export const restartPolicies = ['no', 'always', 'unless-stopped', 'on-failure'] as const
export type RestartPolicy = (typeof restartPolicies)[number]

/** A container as it is to be created. */
export interface ContainerSpec {
  readonly name: string
  readonly image: string
  /** `KEY=value`; the values are secrets. */
  readonly env: readonly string[]
  /** Empty for the command of the image. */
  readonly command: readonly string[]
  readonly ports: readonly PublishedPort[]
  readonly volumes: readonly VolumeMount[]
  readonly restartPolicy: RestartPolicy
  /** `bridge`, `host`, `none`, or the name of a network. */
  readonly network: string
  /** Further names of the container in its network. */
  readonly aliases?: readonly string[]
  readonly isPrivileged?: boolean
  /** 0 for no limit. */
  readonly memoryBytes?: number
  /** 0 for no limit; 1.5 for one and a half cores. */
  readonly cpus?: number
  readonly healthCheck?: HealthCheck
  readonly labels?: Readonly<Record<string, string>>
}

/** Names the change that created an object, so that only its own undo removes it. */
export const changeLabel = 'hostreeve.change'

const nsPerMs = 1_000_000

/** Returns the body of the engine's request that creates a container. */
export function creationOf(spec: ContainerSpec, token: string): object {
  const { image, env, command, ports, volumes, network, aliases = [], labels = {}, healthCheck } = spec
  const hasOwnNetwork = !['bridge', 'host', 'none', 'default'].includes(network)
  return {
    Image: image,
    Env: env,
    ...(command.length > 0 && { Cmd: command }),
    Labels: { ...labels, [changeLabel]: token },
    ExposedPorts: Object.fromEntries(ports.map((port) => [keyOf(port), {}])),
    ...(healthCheck && { Healthcheck: healthOf(healthCheck) }),
    HostConfig: {
      Binds: volumes.map(bindOf),
      PortBindings: Object.fromEntries(
        Object.entries(Object.groupBy(ports, keyOf)).map(([key, bound = []]) => [
          key,
          bound.map(({ ip, host }) => ({ HostIp: ip, HostPort: String(host) })),
        ]),
      ),
      RestartPolicy: { Name: spec.restartPolicy },
      NetworkMode: network,
      Privileged: spec.isPrivileged ?? false,
      Memory: spec.memoryBytes ?? 0,
      NanoCpus: Math.round((spec.cpus ?? 0) * 1_000_000_000),
    },
    ...(hasOwnNetwork && { NetworkingConfig: { EndpointsConfig: { [network]: { Aliases: aliases } } } }),
  }
}

const keyOf = ({ container, protocol }: PublishedPort): string => `${container}/${protocol}`

const bindOf = ({ source, target, isReadOnly }: VolumeMount): string =>
  `${source}:${target}${isReadOnly ? ':ro' : ''}`

const healthOf = ({ test, intervalMs, timeoutMs, retries, startPeriodMs }: HealthCheck): object => ({
  Test: test,
  Interval: Math.round(intervalMs * nsPerMs),
  Timeout: Math.round(timeoutMs * nsPerMs),
  Retries: retries,
  StartPeriod: Math.round(startPeriodMs * nsPerMs),
})
