import type { ContainerSpec, HealthCheck, VolumeMount } from '../../../tools/docker/index.ts'
import { readPorts } from '../ports.ts'
import { labels } from '../stacks/labels.ts'
import type { CatalogApp, CatalogPart, CatalogStack } from './model.ts'
import { fill, type Secrets, secretsIn } from './templates.ts'

/** A launch as it was asked for: the ports replace those of the catalog, by the key of the service. */
export interface LaunchRequest {
  readonly name: string
  readonly secrets: Secrets
  readonly ports: Readonly<Record<string, readonly string[] | undefined>>
}

/** One container of a launch. */
export interface PlannedContainer {
  /** Key of the service; the id of the app for an app. */
  readonly key: string
  readonly spec: ContainerSpec
  readonly ports: readonly string[]
  readonly credentials: readonly Credential[]
}

export interface Credential {
  readonly service: string
  readonly variable: string
  readonly value: string
}

/** Everything that a launch creates. */
export interface LaunchPlan {
  /** Undefined for an app, which uses the bridge of the engine. */
  readonly network: string | undefined
  readonly labels: Readonly<Record<string, string>>
  readonly containers: readonly PlannedContainer[]
}

type Running = Pick<
  CatalogApp,
  'image' | 'ports' | 'env' | 'volumes' | 'command' | 'health_check' | 'memory_mb'
>

const bytesPerMib = 1024 * 1024

/** A container that needs longer than five minutes and three checks is reported as unhealthy. */
const timing: Omit<HealthCheck, 'test'> = {
  intervalMs: 10_000,
  timeoutMs: 10_000,
  retries: 3,
  startPeriodMs: 300_000,
}

/** Plans the container of an app. */
export function planApp(app: CatalogApp, request: LaunchRequest): LaunchPlan {
  const of = { [labels.entry]: app.id }
  const container = planContainer(app, { ...request, key: app.id, container: request.name })
  const spec = { ...container.spec, network: 'bridge', labels: of }
  return { network: undefined, labels: of, containers: [{ ...container, spec }] }
}

/** Plans the containers of a stack in the order of launch, on a network of their own. */
export function planStack(
  stack: CatalogStack,
  services: readonly CatalogPart[],
  request: LaunchRequest,
): LaunchPlan {
  const of = { [labels.entry]: stack.id, [labels.instance]: request.name }
  const containers = services.map((service, order) => {
    const { key } = service
    const container = planContainer(service, { ...request, key, container: `${request.name}-${key}` })
    const spec = {
      ...container.spec,
      network: request.name,
      aliases: [service.network_alias],
      labels: { ...of, [labels.service]: key, [labels.order]: String(order) },
    }
    return { ...container, spec }
  })
  return { network: request.name, labels: of, containers }
}

interface ContainerRequest extends LaunchRequest {
  readonly key: string
  readonly container: string
}

function planContainer(running: Running, request: ContainerRequest): PlannedContainer {
  const { key, container, secrets, name } = request
  const ports = (request.ports[key] ?? running.ports).map((port) => port.trim()).filter(Boolean)
  const filled = (text: string) => fill(text, { name, secrets })
  return {
    key,
    ports,
    credentials: credentialsOf(running.env, container, filled),
    spec: {
      name: container,
      image: running.image,
      env: running.env.map(filled),
      command: running.command ?? [],
      ports: readPorts(ports),
      volumes: running.volumes.map((volume) => mountOf(filled(volume))),
      restartPolicy: 'unless-stopped',
      network: 'bridge',
      memoryBytes: running.memory_mb * bytesPerMib,
      healthCheck: { test: ['CMD-SHELL', running.health_check], ...timing },
    },
  }
}

const credentialsOf = (
  env: readonly string[],
  service: string,
  filled: (text: string) => string,
): readonly Credential[] =>
  env
    .filter((entry) => secretsIn([entry]).length > 0)
    .map((entry) => {
      const end = entry.indexOf('=')
      return { service, variable: entry.slice(0, end), value: filled(entry.slice(end + 1)) }
    })

function mountOf(volume: string): VolumeMount {
  const [source = '', target = '', mode] = volume.split(':')
  return { source, target, isReadOnly: mode === 'ro' }
}

/** The named volumes of a plan, each once. */
export const volumesOf = ({ containers }: LaunchPlan): readonly string[] => [
  ...new Set(
    containers.flatMap(({ spec }) =>
      spec.volumes.map(({ source }) => source).filter((source) => !source.startsWith('/')),
    ),
  ),
]

/** The images of a plan, each once. */
export const imagesOf = ({ containers }: LaunchPlan): readonly string[] => [
  ...new Set(containers.map(({ spec }) => spec.image)),
]
