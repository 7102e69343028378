import { posix } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ApiRequest } from '../../../host/apply/steps.ts'
import type { HttpConnection } from '../../../host/connect/index.ts'

interface StandInContainer {
  readonly id: string
  name: string
  status: string
  startedAt: number
  restartPolicy: string
  readonly image: string
  readonly env: readonly string[]
  readonly command: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly binds: readonly string[]
  readonly ports: Readonly<Record<string, { HostIp: string; HostPort: string }[]>>
}

/** An engine in memory, with as much behaviour as the panel uses; strict: it throws on a request that it does not know. */
export interface StandInEngine {
  readonly connection: HttpConnection
  readonly containers: Map<string, StandInContainer>
  /** The labels of each image, by its name. */
  readonly images: Map<string, Readonly<Record<string, string>>>
  /** The labels and the content of each volume. */
  readonly volumes: Map<string, { readonly labels: object; content: string }>
  /** The images of the registry. */
  readonly registry: Set<string>
  /** The command of a container that ends at once when it is started. */
  readonly failing: Set<string>
}

interface Reply {
  readonly status: number
  readonly body: unknown
}
type Asked = ApiRequest & { readonly query: URLSearchParams; readonly content?: Readable }

const ok = (body: unknown = ''): Reply => ({ status: 200, body })
const refused = (status: number, message: string): Reply => ({ status, body: { message } })

/** Opens an engine in memory. */
export function standInEngine(): StandInEngine {
  const engine = {
    containers: new Map<string, StandInContainer>(),
    images: new Map<string, Readonly<Record<string, string>>>(),
    volumes: new Map<string, { labels: object; content: string }>(),
    registry: new Set<string>(),
    failing: new Set<string>(),
  }
  let count = 0
  const next = () => (++count).toString(16).padStart(64, 'c')
  const answer = async ({ path, content, ...request }: ApiRequest & { content?: Readable }) => {
    const url = new URL(path, 'http://engine')
    const [, , kind = '', name = '', ...verbs] = decodeURIComponent(url.pathname).split('/')
    const asked = { ...request, path, query: url.searchParams, ...(content && { content }) }
    if (kind === 'containers') return containerReply(engine, [name, verbs.join('/')], asked, next)
    if (kind === 'images') return imageReply(engine, [name, ...verbs].join('/'), asked)
    if (kind === 'volumes') return volumeReply(engine, name, asked)
    if (kind === 'commit') return commitReply(engine, asked)
    if (kind === 'version') return ok({ Version: '20.10.24', ApiVersion: '1.41' })
    if (kind === 'info') return ok(infoOf(engine))
    throw new Error(`the stand-in for the engine does not know ${request.method} ${path}`)
  }
  const connection: HttpConnection = {
    send: answer,
    stream: async ({ content, signal: _signal, ...request }) => {
      const reply = await answer({ ...request, ...(content && { content: content.stream }) })
      const sent = reply.body instanceof Buffer ? reply.body : Buffer.from(JSON.stringify(reply.body))
      return { status: reply.status, body: Readable.from([sent]) }
    },
    upgrade: () => Promise.reject(new Error('the stand-in for the engine has no terminals')),
  }
  return { connection, ...engine }
}

type State = Omit<StandInEngine, 'connection'>

const infoOf = ({ containers, images }: State) => ({
  Containers: containers.size,
  ContainersRunning: [...containers.values()].filter(({ status }) => status === 'running').length,
  Images: images.size,
  Driver: 'overlay2',
  DockerRootDir: '/var/lib/docker',
  MemoryLimit: true,
})

async function containerReply(
  engine: State,
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
  readonly Labels: Readonly<Record<string, string>>
  readonly HostConfig: {
    readonly Binds: readonly string[]
    readonly PortBindings: StandInContainer['ports']
    readonly RestartPolicy: { readonly Name: string }
  }
}

function createReply(engine: State, { body, query }: Asked, next: () => string): Reply {
  const { Image, Env, Cmd = [], Labels, HostConfig } = body as Creation
  const name = query.get('name') ?? ''
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
    ports: HostConfig.PortBindings,
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

function changeReply(engine: State, found: StandInContainer, verb: string, { body, query }: Asked): Reply {
  if (verb === 'rename') found.name = query.get('name') ?? ''
  if (verb === 'update')
    found.restartPolicy = (body as { RestartPolicy: { Name: string } }).RestartPolicy.Name
  const move = after[verb]
  if (move === undefined) return ok()
  const [from, to] = move
  if (!from.includes(found.status)) return refused(409, `Container ${found.name} is ${found.status}`)
  const isFailing = to === 'running' && engine.failing.has(found.command.join(' '))
  found.status = isFailing ? 'exited' : to
  if (verb === 'start' || verb === 'restart') found.startedAt += 1
  return { status: 204, body: '' }
}

const tarOf = (content: string): Buffer => Buffer.from(content)

async function archiveReply(
  { volumes }: State,
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

function imageReply(engine: State, name: string, { method, query }: Asked): Reply {
  if (name === 'json')
    return ok(
      [...engine.images].map(([tag, Labels]) => ({
        Id: idOf(tag),
        RepoTags: [tag],
        Created: 1_795_837_611,
        Size: 1000,
        Labels,
      })),
    )
  if (name === 'create') {
    const image = `${query.get('fromImage')}:${query.get('tag')}`
    if (!engine.registry.has(image)) return refused(404, `manifest for ${image} not found: manifest unknown`)
    engine.images.set(image, {})
    return ok({ status: 'Downloading', id: 'layer', progressDetail: { current: 1, total: 2 } })
  }
  const image = name.replace(/\/json$/, '')
  const labels = engine.images.get(image)
  if (labels === undefined) return refused(404, `No such image: ${image}`)
  if (method === 'DELETE') engine.images.delete(image)
  return ok({ Id: idOf(image), Size: 1000, Config: { Env: [], Cmd: [], Labels: labels } })
}

const idOf = (image: string) => `sha256:${Buffer.from(image).toString('hex').padEnd(64, '0')}`

function volumeReply({ volumes }: State, name: string, { method, body }: Asked): Reply {
  if (name === 'create') {
    const { Name, Labels } = body as { Name: string; Labels: object }
    if (!volumes.has(Name)) volumes.set(Name, { labels: Labels, content: '' })
    return { status: 201, body: {} }
  }
  const volume = volumes.get(name)
  if (volume === undefined) return refused(404, `no such volume: ${name}`)
  if (method === 'DELETE') volumes.delete(name)
  return ok({ Name: name, Labels: volume.labels })
}

function commitReply({ images }: State, { query }: Asked): Reply {
  const [, key = '', value = ''] = /^LABEL ([^=]+)=(.*)$/.exec(query.get('changes') ?? '') ?? []
  images.set(`${query.get('repo')}:${query.get('tag')}`, { [key]: value })
  return { status: 201, body: {} }
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

const listed = ({ id, name, image, status, ports, labels }: StandInContainer) => ({
  Id: id,
  Names: [`/${name}`],
  Image: image,
  ImageID: idOf(image),
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
    ...(each.status === 'running' && { Health: { Status: 'healthy' } }),
  },
  Config: {
    Image: each.image,
    Tty: false,
    Env: each.env,
    Cmd: each.command,
    Labels: each.labels,
  },
  HostConfig: {
    Binds: each.binds,
    PortBindings: each.ports,
    RestartPolicy: { Name: each.restartPolicy },
    Privileged: false,
    NetworkMode: 'bridge',
    Memory: 0,
    NanoCpus: 0,
  },
  Mounts: each.binds.map((bind) => {
    const [source = '', target = '', mode] = bind.split(':')
    const isFolder = source.startsWith('/')
    return {
      Type: isFolder ? 'bind' : 'volume',
      ...(!isFolder && { Name: source }),
      Source: isFolder ? source : `/var/lib/docker/volumes/${source}/_data`,
      Destination: target,
      RW: mode !== 'ro',
    }
  }),
})
