import { posix } from 'node:path'
import { text } from 'node:stream/consumers'
import {
  type Asked,
  type EngineState,
  imageIdOf,
  type Labels,
  ok,
  refused,
  type Reply,
  type StandInContainer,
} from './parts.ts'

/** Answers the requests about containers. */
export async function containerReply(
  engine: EngineState,
  [name, verb]: readonly [string, string],
  asked: Asked,
  next: () => string,
): Promise<Reply> {
  if (name === 'json') return ok([...engine.containers.values()].map(listed))
  if (name === 'create') return createReply(engine, asked, next)
  const found = [...engine.containers.values()].find((each) => each.id === name || each.name === name)
  if (found === undefined) return refused(404, `No such container: ${name}`)
  if (asked.method === 'DELETE') {
    engine.containers.delete(found.id)
    return ok()
  }
  if (verb === 'json') return ok(inspected(found))
  if (verb === 'exec') return { status: 201, body: { Id: `program-in-${found.id}` } }
  if (verb === 'archive') return archiveReply(engine, found, asked)
  if (verb === 'logs') return ok(Buffer.concat([frame(1, 'out'), frame(2, 'failure')]))
  if (verb.startsWith('stats')) return ok(sample)
  return changeReply(engine, found, verb, asked)
}

function frame(stream: 1 | 2, message: string): Buffer {
  const line = Buffer.from(`2026-11-28T03:00:0${stream}.000000000Z ${message}\n`)
  const head = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0])
  head.writeUInt32BE(line.length, 4)
  return Buffer.concat([head, line])
}

const sample = {
  cpu_stats: { cpu_usage: { total_usage: 1000 }, system_cpu_usage: 10_000, online_cpus: 2 },
  memory_stats: { usage: 3000, limit: 9000, stats: { inactive_file: 1000 } },
  pids_stats: { current: 3 },
  networks: { eth0: { rx_bytes: 5, tx_bytes: 7 } },
  blkio_stats: { io_service_bytes_recursive: [{ op: 'Read', value: 11 }] },
}

interface Creation {
  readonly Image: string
  readonly Env: readonly string[]
  readonly Cmd?: readonly string[]
  readonly Labels: Labels
  readonly Healthcheck?: unknown
  readonly NetworkingConfig?: {
    readonly EndpointsConfig: Readonly<Record<string, { readonly Aliases: readonly string[] }>>
  }
  readonly HostConfig: {
    readonly Binds: readonly string[]
    readonly NetworkMode: string
    readonly PortBindings: StandInContainer['ports']
    readonly RestartPolicy: { readonly Name: string }
    readonly NanoCpus?: number
  }
}

function createReply(engine: EngineState, { body, query }: Asked, next: () => string): Reply {
  const { Image, Env, Cmd = [], Labels, Healthcheck, NetworkingConfig, HostConfig } = body as Creation
  const aliases = NetworkingConfig?.EndpointsConfig[HostConfig.NetworkMode]?.Aliases ?? []
  const name = query.get('name') ?? ''
  if ((HostConfig.NanoCpus ?? 0) > 2_000_000_000)
    return refused(400, 'Range of CPUs is from 0.01 to 2.00, as there are only 2 CPUs available')
  if (!engine.images.has(Image)) return refused(404, `No such image: ${Image}`)
  if ([...engine.containers.values()].some((each) => each.name === name))
    return refused(409, `The container name "/${name}" is already in use`)
  const id = next()
  engine.containers.set(id, {
    id,
    name,
    status: 'created',
    startedAt: 0,
    restartPolicy: HostConfig.RestartPolicy.Name,
    image: Image,
    env: Env,
    command: Cmd,
    labels: Labels,
    binds: HostConfig.Binds,
    network: HostConfig.NetworkMode,
    ports: HostConfig.PortBindings,
    aliases,
    ...(Healthcheck !== undefined && { healthCheck: Healthcheck }),
  })
  return { status: 201, body: { Id: id } }
}

const after: Readonly<Record<string, readonly [from: readonly string[], to: string]>> = {
  start: [['created', 'exited'], 'running'],
  stop: [['running', 'paused'], 'exited'],
  restart: [['created', 'exited', 'running'], 'running'],
  pause: [['running'], 'paused'],
  unpause: [['paused'], 'running'],
  kill: [['running', 'paused'], 'exited'],
}

function changeReply(
  engine: EngineState,
  found: StandInContainer,
  verb: string,
  { body, query }: Asked,
): Reply {
  if (verb === 'rename') found.name = query.get('name') ?? ''
  if (verb === 'update')
    found.restartPolicy = (body as { RestartPolicy: { Name: string } }).RestartPolicy.Name
  const move = after[verb]
  if (move === undefined) return ok()
  const [from, to] = move
  if (!from.includes(found.status)) return refused(409, `Container ${found.name} is ${found.status}`)
  const causes = [found.command.join(' '), found.image]
  const isFailing = to === 'running' && causes.some((cause) => engine.failing.has(cause))
  found.status = isFailing ? 'exited' : to
  if (verb === 'start' || verb === 'restart') found.startedAt += 1
  return { status: 204, body: '' }
}

const tarOf = (content: string): Buffer => Buffer.from(content)

async function archiveReply(
  { volumes }: EngineState,
  { binds }: StandInContainer,
  { method, query, content }: Asked,
): Promise<Reply> {
  const path = query.get('path') ?? ''
  const isWritten = method === 'PUT'
  const bind = binds.find((each) => {
    const [, target = ''] = each.split(':')
    return (isWritten ? posix.dirname(target) : target) === path
  })
  const volume = volumes.get(bind?.split(':')[0] ?? '')
  if (volume === undefined) return refused(404, `Could not find the file ${path}`)
  if (!isWritten) return ok(tarOf(volume.content))
  volume.content = content === undefined ? '' : await text(content)
  return ok()
}

const portsOf = (ports: StandInContainer['ports']) =>
  Object.entries(ports).flatMap(([key, bound]) =>
    bound.map(({ HostIp, HostPort }) => ({
      IP: HostIp === '' ? '0.0.0.0' : HostIp,
      PrivatePort: Number.parseInt(key, 10),
      PublicPort: Number(HostPort),
      Type: key.split('/')[1] ?? 'tcp',
    })),
  )

/** A container as the engine lists it. */
export const listed = ({ id, name, image, status, ports, labels }: StandInContainer) => ({
  Id: id,
  Names: [`/${name}`],
  Image: image,
  ImageID: imageIdOf(image),
  State: status,
  Status: status === 'running' ? 'Up 2 minutes (healthy)' : status,
  Created: 1_795_837_611,
  Ports: status === 'running' ? portsOf(ports) : [],
  Labels: labels,
})

const inspected = (each: StandInContainer) => ({
  Id: each.id,
  Name: `/${each.name}`,
  Image: each.image,
  Created: '2026-11-28T03:00:00Z',
  RestartCount: 0,
  State: {
    Status: each.status,
    Running: each.status === 'running' || each.status === 'paused',
    Paused: each.status === 'paused',
    ExitCode: each.status === 'exited' ? 2 : 0,
    Error: '',
    StartedAt: `${each.startedAt}`,
    ...(each.status === 'running' && {
      Health: { Status: each.isStarting === true ? 'starting' : 'healthy' },
    }),
  },
  Config: {
    Image: each.image,
    Tty: false,
    Env: each.env,
    Cmd: each.command,
    Labels: each.labels,
    Healthcheck: each.healthCheck ?? null,
  },
  NetworkSettings: { Networks: { [each.network]: { Aliases: each.aliases ?? [] } } },
  HostConfig: {
    Binds: each.binds,
    PortBindings: each.ports,
    RestartPolicy: { Name: each.restartPolicy },
    Privileged: false,
    NetworkMode: each.network,
    Memory: 0,
    NanoCpus: 0,
  },
  Mounts: each.binds.map((bind) => {
    const [source = '', target = '', mode] = bind.split(':')
    const isFolder = source.startsWith('/')
    return {
      Type: isFolder ? 'bind' : 'volume',
      ...(!isFolder && { Name: source }),
      ...(!isFolder && { Driver: 'local' }),
      Source: isFolder ? source : `/var/lib/docker/volumes/${source}/_data`,
      Destination: target,
      RW: mode !== 'ro',
    }
  }),
})
