import { Readable } from 'node:stream'
import type { ApiRequest } from '../../../host/apply/steps.ts'
import type { HttpConnection } from '../../../host/connect/index.ts'
import { containerReply } from './containers.ts'
import type { RequestHeaders } from '../registry-auth.ts'
import { commitReply, imageReply, networkReply, usageOf, volumeReply } from './objects.ts'
import { type EngineState, ok } from './parts.ts'

/** An engine in memory, with as much behaviour as the panel uses; strict: it throws on a request that it does not know. */
export interface StandInEngine extends EngineState {
  readonly connection: HttpConnection
  /** A connection whose requests have these headers. */
  readonly connectionWith: (headers: RequestHeaders) => HttpConnection
}

/** Opens an engine in memory. */
export function standInEngine(): StandInEngine {
  const engine: EngineState = {
    containers: new Map(),
    images: new Map(),
    volumes: new Map(),
    networks: new Map(),
    registry: new Set(),
    accounts: new Map(),
    failing: new Set(),
  }
  let count = 0
  const next = () => (++count).toString(16).padStart(64, 'c')
  const answer = async ({ path, content, ...request }: Sent) => {
    const url = new URL(path, 'http://engine')
    const [, , kind = '', name = '', ...verbs] = decodeURIComponent(url.pathname).split('/')
    const asked = { ...request, path, query: url.searchParams, ...(content && { content }) }
    if (kind === 'containers') return containerReply(engine, [name, verbs.join('/')], asked, next)
    if (kind === 'images') return imageReply(engine, [name, ...verbs].join('/'), asked)
    if (kind === 'volumes') return volumeReply(engine, name, asked)
    if (kind === 'networks') return networkReply(engine, name, asked)
    if (kind === 'system') return ok(usageOf(engine))
    if (kind === 'exec') return ok({ Running: false, ExitCode: 0, Pid: 0 })
    if (kind === 'build') return ok({ SpaceReclaimed: 0 })
    if (kind === 'commit') return commitReply(engine, asked)
    if (kind === 'version') return ok({ Version: '20.10.24', ApiVersion: '1.41' })
    if (kind === 'info') return ok(infoOf(engine))
    throw new Error(`the stand-in for the engine does not know ${request.method} ${path}`)
  }
  const connectionWith = (headers: RequestHeaders): HttpConnection => ({
    send: (request) => answer({ ...request, headers }),
    stream: async ({ content, signal: _signal, ...request }) => {
      const reply = await answer({ ...request, headers, ...(content && { content: content.stream }) })
      const sent = reply.body instanceof Buffer ? reply.body : Buffer.from(JSON.stringify(reply.body))
      return { status: reply.status, body: Readable.from([sent]) }
    },
    upgrade: () => Promise.reject(new Error('the stand-in for the engine has no terminals')),
  })
  return { connection: connectionWith({}), connectionWith, ...engine }
}

type Sent = ApiRequest & { readonly content?: Readable; readonly headers: RequestHeaders }

const infoOf = ({ containers, images }: EngineState) => ({
  Containers: containers.size,
  ContainersRunning: [...containers.values()].filter(({ status }) => status === 'running').length,
  Images: images.size,
  Driver: 'overlay2',
  DockerRootDir: '/var/lib/docker',
  MemoryLimit: true,
})
