import type { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { BadRequest, Problem } from '../../core/problem.ts'
import type { ApiRequest } from '../../host/apply/steps.ts'
import type { HttpConnection } from '../../host/connect/index.ts'
import { EngineFailed } from './problems.ts'

/** The version of the API that Docker Engine of Debian 12 has; later engines have it too. */
const version = '/v1.41'

/** Sends requests to Docker Engine; a refusal is thrown with the engine's message. */
export interface Engine {
  /** Returns the reply, checked by its schema. */
  read<Schema extends TSchema>(schema: Schema, request: ApiRequest): Promise<Static<Schema>>
  /** Returns undefined if the engine has no such object. */
  find<Schema extends TSchema>(schema: Schema, path: string): Promise<Static<Schema> | undefined>
  /** Sends a request whose reply is not needed; a state that it asks for and is reached already is no failure. */
  send(request: ApiRequest): Promise<void>
  /** Reads a reply as it arrives. */
  stream(request: Parameters<HttpConnection['stream']>[0]): Promise<Readable>
  upgrade: HttpConnection['upgrade']
}

/** Opens the client of an engine. */
export function openEngine(connection: HttpConnection): Engine {
  const answer = (request: ApiRequest) =>
    reached(connection.send({ ...request, path: version + request.path }))
  const ask = async (request: ApiRequest) => {
    const { status, body } = await answer(request)
    if (status >= 400) throw refusalOf(request, status, messageIn(body))
    return body
  }
  const checked = <Schema extends TSchema>(schema: Schema, path: string, body: unknown): Static<Schema> => {
    if (!Check(schema, body))
      throw EngineFailed(`Docker Engine answered ${path} in a form that the panel does not know`)
    return body
  }
  return {
    read: async (schema, request) => checked(schema, request.path, await ask(request)),
    find: async (schema, path) => {
      const request = { method: 'GET', path } as const
      const { status, body } = await answer(request)
      if (status === 404) return undefined
      if (status >= 400) throw refusalOf(request, status, messageIn(body))
      return checked(schema, path, body)
    },
    send: async (request) => void (await ask(request)),
    stream: async (request) => {
      const { status, body } = await reached(connection.stream({ ...request, path: version + request.path }))
      if (status >= 400) throw refusalOf(request, status, messageIn(await startOf(body)))
      return body
    },
    upgrade: (request, protocol) =>
      reached(connection.upgrade({ ...request, path: version + request.path }, protocol)),
  }
}

/** An engine that cannot be reached fails like one that refuses. */
async function reached<Value>(reply: Promise<Value>): Promise<Value> {
  try {
    return await reply
  } catch (error) {
    if (error instanceof Problem) throw EngineFailed(error.message)
    throw error
  }
}

const broken = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Says that the engine has ended a reply before its end, as where it is restarted; other errors stay what they are. */
export const brokenOff = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && broken.has(String(error.code))
    ? EngineFailed('Docker Engine ended the connection before its reply was complete')
    : error

/** The engine refuses names of images and settings of a new container as the caller wrote them; of all else it says what failed. */
function refusalOf({ path }: Pick<ApiRequest, 'path'>, status: number, message: string): Problem {
  const isOfCaller = path.startsWith('/images/') || path.startsWith('/containers/create')
  return status === 400 && isOfCaller ? BadRequest(message) : EngineFailed(message)
}

const mostMessage = 2000

function messageIn(body: unknown): string {
  const message =
    typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : String(body)
  return message.trim().slice(0, mostMessage)
}

async function startOf(body: Readable): Promise<unknown> {
  let text = ''
  for await (const chunk of body) {
    text += String(chunk)
    if (text.length > 64 * 1024) break
  }
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
