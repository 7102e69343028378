import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { HttpConnection } from '../../../host/connect/index.ts'
import type { ApiRequest } from '../../../host/apply/steps.ts'

type Labels = Readonly<Record<string, string>> | null
type Reply = { readonly status: number; readonly body: unknown }

export interface MemoryContainer {
  readonly Id: string
  Name: string
  readonly image: string
  readonly body: any
  status: string
  startedAt: number
}

/** Docker Engine as far as tests without one need it: its objects are in memory, and start at once. */
export interface EngineInMemory {
  readonly connection: HttpConnection
  readonly containers: Map<string, MemoryContainer>
  /** Images of the host by their names. */
  readonly images: Map<string, { Id: string; Size: number; Labels: Labels }>
  /** Names that the registry has. */
  readonly registry: Set<string>
  readonly networks: Map<string, { Id: string; Labels: Labels }>
  readonly volumes: Map<string, Labels>
  /** The health of a container by its image; healthy if absent. */
  readonly health: Map<string, string>
  /** Images whose containers end at once. */
  readonly broken: Set<string>
  /** Requests that changed something, as `METHOD path`. */
  readonly requests: string[]
}

const idOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const ok = (body: unknown = {}): Reply => ({ status: 200, body })
const refused = (status: number, message: string): Reply => ({ status, body: { message } })

/** Opens an engine without containers. */
export function engineInMemory(): EngineInMemory {
  const engine: Omit<EngineInMemory, 'connection'> = {
    containers: new Map(),
    images: new Map(),
    registry: new Set(),
    networks: new Map([['bridge', { Id: idOf('bridge'), Labels: null }]]),
    volumes: new Map(),
    health: new Map(),
    broken: new Set(),
    requests: [],
  }
  const send = async (request: ApiRequest): Promise<Reply> => {
    if (request.method !== 'GET') engine.requests.push(`${request.method} ${request.path}`)
    return answer(engine, request)
  }
  const connection: HttpConnection = {
    send,
    stream: async (request) => {
      const { status, body } = await send(request)
      return { status, body: Readable.from([typeof body === 'string' ? body : JSON.stringify(body)]) }
    },
    upgrade: () => Promise.reject(new Error('the engine in memory has no terminals')),
  }
  return { ...engine, connection }
}

type Objects = Omit<EngineInMemory, 'connection'>

function answer(engine: Objects, { method, path, body }: ApiRequest): Reply {
  const url = new URL(`http://engine${path.replace(/^\/v1\.41/, '')}`)
  const [, kind = '', ...rest] = url.pathname.split('/').map(decodeURIComponent)
  const verb = method === 'GET' ? 'GET' : method === 'DELETE' ? 'DELETE' : 'POST'
  const asked = { verb, rest, query: url.searchParams, body: body as any } as const
  if (kind === 'containers') return containers(engine, asked)
  if (kind === 'images') return images(engine, asked)
  if (kind === 'networks') return networks(engine, asked)
  if (kind === 'volumes') return volumes(engine, asked)
  if (kind === 'system') return ok(usage(engine))
  if (kind === 'build') return ok({ SpaceReclaimed: 0 })
  if (kind === 'version') return ok({ Version: '20.10.24', ApiVersion: '1.41' })
  if (kind === 'info') return ok(info(engine))
  return refused(404, 'page not found')
}

interface Asked {
  readonly verb: 'GET' | 'POST' | 'DELETE'
  readonly rest: readonly string[]
  readonly query: URLSearchParams
  readonly body: any
}

const info = ({ containers: all, images: known }: Objects) => ({
  Containers: all.size,
  ContainersRunning: [...all.values()].filter(({ status }) => status === 'running').length,
  Images: known.size,
  Driver: 'overlay2',
  DockerRootDir: '/var/lib/docker',
  MemoryLimit: true,
})

function containers(engine: Objects, { verb, rest: [of = '', action], query, body }: Asked): Reply {
  const all = engine.containers
  if (of === 'json') return ok([...all.values()].map((each) => listed(engine, each)))
  if (of === 'create') return create(engine, query.get('name') ?? '', body)
  const found = all.get(of) ?? [...all.values()].find(({ Id }) => Id === of)
  if (found === undefined) return refused(404, `No such container: ${of}`)
  if (action === 'json') return ok(inspected(engine, found))
  if (verb === 'DELETE') {
    if (found.status === 'running' && query.get('force') !== '1')
      return refused(409, 'You cannot remove a running container')
    all.delete(found.Name)
    return ok()
  }
  if (action === 'rename') {
    all.delete(found.Name)
    found.Name = query.get('name') ?? found.Name
    all.set(found.Name, found)
    return ok()
  }
  if (action === 'start' || action === 'restart' || action === 'unpause') {
    const taken = takenPort(engine, found)
    if (taken !== undefined) return refused(500, `Bind for ${taken} failed: port is already allocated`)
    found.status = engine.broken.has(found.image) ? 'exited' : 'running'
    found.startedAt += 1
  }
  if (action === 'pause') found.status = 'paused'
  if (action === 'stop' || action === 'kill') found.status = 'exited'
  return ok()
}

function create(engine: Objects, name: string, body: any): Reply {
  if (engine.containers.has(name)) return refused(409, `The container name "/${name}" is already in use`)
  if (!engine.images.has(body.Image)) return refused(404, `No such image: ${body.Image}`)
  const Id = idOf(`${name} ${engine.requests.length}`)
  engine.containers.set(name, { Id, Name: name, image: body.Image, body, status: 'created', startedAt: 0 })
  return ok({ Id })
}

const hostPorts = ({ body }: MemoryContainer): readonly string[] =>
  Object.values<any>(body.HostConfig?.PortBindings ?? {})
    .flat()
    .map(({ HostIp, HostPort }) => `${HostIp}:${HostPort}`)

function takenPort(engine: Objects, container: MemoryContainer): string | undefined {
  const others = [...engine.containers.values()].filter(
    (each) => each !== container && each.status === 'running',
  )
  const taken = new Set(others.flatMap(hostPorts))
  return hostPorts(container).find((port) => taken.has(port))
}

const listed = (engine: Objects, { Id, Name, image, body, status }: MemoryContainer) => ({
  Id,
  Names: [`/${Name}`],
  Image: image,
  ImageID: engine.images.get(image)?.Id ?? '',
  State: status,
  Status: status === 'running' ? 'Up 1 second (healthy)' : 'Exited (0) 1 second ago',
  Created: 1_790_000_000,
  Ports: Object.entries<any>(body.HostConfig?.PortBindings ?? {}).flatMap(([key, bound]) =>
    bound.map(({ HostIp, HostPort }: any) => ({
      IP: HostIp === '' ? '0.0.0.0' : HostIp,
      PublicPort: Number(HostPort),
      PrivatePort: Number.parseInt(key, 10),
      Type: key.split('/')[1],
    })),
  ),
  Labels: body.Labels ?? null,
})

const inspected = (engine: Objects, { Id, Name, image, body, status, startedAt }: MemoryContainer) => ({
  Id,
  Name: `/${Name}`,
  Image: engine.images.get(image)?.Id ?? '',
  Created: '2026-09-22T00:00:00Z',
  RestartCount: 0,
  State: {
    Status: status,
    Running: status === 'running' || status === 'paused',
    Paused: status === 'paused',
    ExitCode: status === 'exited' ? 3 : 0,
    Error: '',
    StartedAt: `2026-09-22T00:00:${String(startedAt).padStart(2, '0')}Z`,
    ...(body.Healthcheck && {
      Health: {
        Status: engine.health.get(image) ?? 'healthy',
        Log: [{ Output: `check of ${image}` }],
      },
    }),
  },
  Config: {
    Image: image,
    Tty: false,
    Env: body.Env ?? null,
    Cmd: body.Cmd ?? null,
    Labels: body.Labels ?? null,
    ...(body.Healthcheck && { Healthcheck: body.Healthcheck }),
  },
  HostConfig: {
    Binds: null,
    PortBindings: null,
    Memory: 0,
    NanoCpus: 0,
    Privileged: false,
    NetworkMode: 'bridge',
    RestartPolicy: { Name: 'no' },
    ...body.HostConfig,
  },
  Mounts: [],
})

function images(engine: Objects, { verb, rest: [of = '', action], query }: Asked): Reply {
  const known = engine.images
  if (of === 'create') return pull(engine, `${query.get('fromImage')}:${query.get('tag')}`)
  if (of === 'json')
    return ok(
      [...known].map(([name, { Id, Size, Labels }]) => ({
        Id,
        RepoTags: [name],
        Created: 1_790_000_000,
        Size,
        Labels,
      })),
    )
  const name = known.has(of) ? of : [...known].find(([, { Id }]) => Id === of)?.[0]
  const found = name === undefined ? undefined : known.get(name)
  if (name === undefined || found === undefined) return refused(404, `No such image: ${of}`)
  if (action === 'json')
    return ok({ Id: found.Id, Size: found.Size, RepoTags: [name], Config: { Labels: found.Labels } })
  if (verb === 'DELETE') {
    if ([...engine.containers.values()].some(({ image }) => image === name))
      return refused(409, 'conflict: unable to remove: container is using its referenced image')
    known.delete(name)
  }
  return ok()
}

/** A registry that lacks the image answers within the stream. */
function pull({ images: known, registry }: Objects, name: string): Reply {
  if (!registry.has(name))
    return ok(`${JSON.stringify({ error: `manifest for ${name} not found: manifest unknown` })}\n`)
  known.set(name, { Id: `sha256:${idOf(name)}`, Size: 1_000_000, Labels: null })
  const layer = { id: 'a1b2c3', status: 'Downloading', progressDetail: { current: 50, total: 100 } }
  return ok(`${JSON.stringify(layer)}\n${JSON.stringify({ ...layer, status: 'Extracting' })}\n`)
}

function networks(engine: Objects, { verb, rest: [of = ''], body }: Asked): Reply {
  const all = engine.networks
  const usersOf = (name: string) =>
    [...engine.containers.values()].filter((each) => each.body.HostConfig?.NetworkMode === name)
  if (of === 'create') {
    if (all.has(body.Name)) return refused(409, `network with name ${body.Name} already exists`)
    all.set(body.Name, { Id: idOf(body.Name), Labels: body.Labels ?? null })
    return { status: 201, body: { Id: idOf(body.Name) } }
  }
  if (of === '')
    return ok(
      [...all]
        .filter(([name]) => name !== 'bridge' && usersOf(name).length === 0)
        .map(([Name, { Id, Labels }]) => ({ Id, Name, Labels })),
    )
  const name = all.has(of) ? of : [...all].find(([, { Id }]) => Id === of)?.[0]
  if (name === undefined) return refused(404, `network ${of} not found`)
  if (verb === 'DELETE') {
    all.delete(name)
    return ok()
  }
  return ok({ ...all.get(name), Containers: Object.fromEntries(usersOf(name).map(({ Id }) => [Id, {}])) })
}

function volumes({ volumes: all }: Objects, { verb, rest: [of = ''], query, body }: Asked): Reply {
  if (of === 'create') {
    if (!all.has(body.Name)) all.set(body.Name, body.Labels ?? null)
    return { status: 201, body: { Name: body.Name, Labels: body.Labels ?? null } }
  }
  if (of === '') {
    const [label] = (JSON.parse(query.get('filters') ?? '{}') as { label?: string[] }).label ?? []
    const [key = '', value] = label?.split('=') ?? []
    return ok({
      Volumes: [...all]
        .filter(([, Labels]) => label === undefined || Labels?.[key] === value)
        .map(([Name]) => ({ Name })),
    })
  }
  if (!all.has(of)) return refused(404, `get ${of}: no such volume`)
  if (verb === 'DELETE') all.delete(of)
  return ok({ Name: of, Labels: all.get(of) ?? null })
}

const usage = (engine: Objects) => ({
  Images: [...engine.images].map(([name, { Id, Size, Labels }]) => ({
    Id,
    RepoTags: [name],
    Size,
    SharedSize: 0,
    Labels,
  })),
  Containers: [...engine.containers.values()].map((each) => listed(engine, each)),
  Volumes: [...engine.volumes].map(([Name, Labels]) => ({
    Name,
    Labels,
    UsageData: {
      Size: 10,
      RefCount: [...engine.containers.values()].some(({ body }) =>
        (body.HostConfig?.Binds ?? []).some((bind: string) => bind.startsWith(`${Name}:`)),
      )
        ? 1
        : 0,
    },
  })),
  BuildCache: [],
})
