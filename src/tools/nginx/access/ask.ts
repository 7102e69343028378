import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import Type, { type Static, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { Unavailable } from '../../../core/problem.ts'
import { compileRules } from './compile.ts'
import { decode, encode, Undecodable } from './encoding.ts'
import { Replayed, replayBody, type Replaying } from './replay.ts'
import type { AccessRules } from './rules.ts'

const Report = Type.Object({
  /** Absent if nothing is loaded for the owner. */
  path: Type.Optional(Type.String()),
  /** Why the rules could not be loaded. */
  problem: Type.Optional(Type.String()),
  hits: Type.Array(Type.Object({ id: Type.String(), hits: Type.Number() })),
})

const Simulated = Type.Object({
  /** The ruleset that ends the evaluation; absent if none does. */
  ruleset: Type.Optional(Type.String()),
  /** As nginx has decoded and normalised it. */
  path: Type.String(),
  steps: Type.Array(
    Type.Object({
      ruleset: Type.String(),
      matched: Type.Boolean(),
      ends: Type.Boolean(),
      rules: Type.Array(
        Type.Object({
          rule: Type.String(),
          matched: Type.Boolean(),
          conditions: Type.Array(
            Type.Object({
              index: Type.Number(),
              matched: Type.Boolean(),
              value: Type.Optional(Type.String()),
              problem: Type.Optional(Type.String()),
            }),
          ),
        }),
      ),
    }),
  ),
  /** The expressions that are not regular ones. */
  problems: Type.Array(Type.Object({ rule: Type.String(), index: Type.Number(), problem: Type.String() })),
})

/** What nginx has loaded for an owner, with the number of matches of each ruleset and rule. */
export type AccessReport = Static<typeof Report>

/** How rules decide a request. */
export type SimulatedAccess = Static<typeof Simulated>

/** The status with which nginx refuses a request before any rule is evaluated. */
export interface AccessRefused {
  readonly refusedWith: number
}

/** A request that no visitor makes. */
export interface SimulatedRequest {
  /** Told beside the request, which is always a POST: the answer to a HEAD has no content. */
  readonly method: string
  /** The path and the query as a browser sends them. */
  readonly target: string
  readonly host: string
  readonly headers: Readonly<Record<string, string | string[]>>
  /** In hexadecimal digits. */
  readonly address: string
  readonly siteId: number
  /** The requests of the address within the minute. */
  readonly rate: number
  /** True if the visitor has passed a challenge. */
  readonly hasPassed: boolean
}

const timeoutMs = 10_000
/** A part of a log is evaluated in turn with the requests of visitors. */
const replayTimeoutMs = 300_000
/** The longest explanation of all rules that one owner may have. */
const maxBytes = 64 * 1024 * 1024
const otherModule =
  'nginx has loaded another module of access rules, or none: install the scripting module again'

/** Asks nginx what it has loaded for an owner; undefined if it does not answer, or is not set up for access rules. */
export async function reportOf(socketPath: string, owner: number): Promise<AccessReport | undefined> {
  try {
    const reply = await ask({
      socketPath,
      method: 'GET',
      path: `/?owner=${owner}`,
      headers: { host: 'access' },
    })
    return reply.status === 200 ? readAs(Report, reply.body) : undefined
  } catch (error) {
    if (isUnreachable(error)) return undefined
    throw error
  }
}

/** Has nginx evaluate rules for a request: it parses the path and the headers of the request itself. */
export async function simulate(
  socketPath: string,
  rules: AccessRules,
  asked: SimulatedRequest,
): Promise<SimulatedAccess | AccessRefused> {
  const body = Buffer.from(
    encode({
      data: compileRules(rules),
      address: asked.address,
      host: asked.host.toLowerCase(),
      method: asked.method,
      site: asked.siteId,
      rate: asked.rate,
      passed: asked.hasPassed,
    }),
  )
  const headers = { ...asked.headers, host: 'simulate', 'content-length': String(body.length) }
  try {
    const reply = await ask({ socketPath, method: 'POST', path: asked.target, headers, body })
    if (reply.status !== 200) return { refusedWith: reply.status }
    const found = readAs(Simulated, reply.body)
    if (found === undefined) throw Unavailable(otherModule)
    return found
  } catch (error) {
    if (isUnreachable(error)) throw Unavailable('nginx does not answer')
    throw error
  }
}

/** Has nginx evaluate rules for requests of a log. */
export async function replay(
  socketPath: string,
  replaying: Replaying,
  signal: AbortSignal,
): Promise<Replayed> {
  const body = replayBody(replaying)
  const headers = { host: 'simulate', 'content-length': String(body.length) }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(replayTimeoutMs)])
  try {
    const reply = await ask({ socketPath, method: 'POST', path: '/', headers, body, signal: limit })
    if (reply.status !== 200) throw Unavailable(`nginx answers a part of the log with status ${reply.status}`)
    const found = readAs(Replayed, reply.body)
    if (found === undefined) throw Unavailable(otherModule)
    return found
  } catch (error) {
    signal.throwIfAborted()
    if (isUnreachable(error)) throw Unavailable('nginx does not answer')
    throw error
  }
}

interface Asked {
  readonly socketPath: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body?: Buffer
  /** By default, the time for one request. */
  readonly signal?: AbortSignal
}

async function ask({
  body,
  signal = AbortSignal.timeout(timeoutMs),
  ...asked
}: Asked): Promise<{ readonly status: number; readonly body: Buffer }> {
  const sent = request({ ...asked, signal, agent: false })
  sent.on('error', () => {}) // one that comes after the answer, as the body is still sent, has nobody to tell
  sent.end(body)
  const [reply]: IncomingMessage[] = await once(sent, 'response', { signal })
  if (reply === undefined) throw new Error('no reply')
  const parts: Buffer[] = []
  let size = 0
  for await (const part of reply) {
    parts.push(part)
    size += part.length
    if (size > maxBytes) throw new Error('the reply of the access rules is too large')
  }
  return { status: reply.statusCode ?? 0, body: Buffer.concat(parts) }
}

/** Undefined for what the Lua module has not sent: where it is not loaded, another server answers on the socket. */
function readAs<Schema extends TSchema>(schema: Schema, body: Buffer): Static<Schema> | undefined {
  try {
    const value: unknown = decode(body)
    return Check(schema, value) ? value : undefined
  } catch (error) {
    if (error instanceof Undecodable) return undefined
    throw error
  }
}

const unreachable: ReadonlySet<string> = new Set([
  'ENOENT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ABORT_ERR',
])

function isUnreachable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && unreachable.has(String(error.code))
}
