import type { TSchema, Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { KeyedMutex } from '../../core/keyed-mutex.ts'
import { Unavailable } from '../../core/problem.ts'
import type { ApiRequest } from '../../host/apply/steps.ts'
import type { Host } from '../../host/index.ts'
import { apiSettingsIn } from './api-settings.ts'
import { configurationPath, serverId } from './layout.ts'
import { BackendFailed, RecordsRefused } from './problems.ts'

/** The HTTP API of PowerDNS on this host. Paths are relative to the server: `/zones`. */
export interface PowerdnsApi {
  /** Reads an object; undefined if there is none. */
  read(path: string): Promise<unknown>
  /** Reads the server itself; fails within seconds if it does not answer. */
  readServer(): Promise<unknown>
  /** Sends a change, one at a time: on MariaDB, PowerDNS fails some concurrent writes. */
  write(request: ApiRequest): Promise<unknown>
}

const limits = { timeoutMs: 120_000, maxBytes: 256 * 1024 * 1024 }
const serverLimits = { timeoutMs: 2000, maxBytes: 64 * 1024 }
const mostMessage = 2000

/** Opens the API; the port and the key are read from the configuration with each request. */
export function openApi({ connect, files }: Pick<Host, 'connect' | 'files'>): PowerdnsApi {
  const writing = new KeyedMutex<number>()
  const settings = async () => {
    const found = apiSettingsIn(await files.read(configurationPath))
    if (found === undefined) throw Unavailable('PowerDNS is not set up: install it on the page DNS')
    return found
  }
  const send = async ({ method, path, body }: ApiRequest, within = limits) => {
    const { port, key } = await settings()
    const headers = () => ({ 'X-API-Key': key })
    return connect
      .http({ name: 'PowerDNS', at: { port }, headers, ...within })
      .send({ method, path: `/api/v1/servers/${serverId}${path}`, body })
  }
  return {
    read: async (path) => {
      const { status, body } = await send({ method: 'GET', path })
      if (status === 404 || isUnknownZone(status, body)) return undefined
      return accepted({ method: 'GET', path }, status, body)
    },
    readServer: async () => {
      const { status, body } = await send({ method: 'GET', path: '' }, serverLimits)
      return accepted({ method: 'GET', path: '' }, status, body)
    },
    write: async (request) => {
      const release = await writing.acquire((await settings()).port)
      try {
        const { status, body } = await send(request)
        if (request.method === 'DELETE' && (status === 404 || isUnknownZone(status, body))) return undefined
        return accepted(request, status, body)
      } finally {
        release()
      }
    },
  }
}

/** PowerDNS answers 422 or 404 for a zone that it does not have, depending on the version. */
const isUnknownZone = (status: number, body: unknown): boolean =>
  status === 422 && /could not find domain/i.test(messageIn(body))

function accepted({ method, path }: ApiRequest, status: number, body: unknown): unknown {
  if (status >= 200 && status < 300) return body
  const message = messageIn(body).slice(0, mostMessage)
  if (status === 422 || status === 400 || status === 409) throw RecordsRefused(`PowerDNS: ${message}`)
  throw BackendFailed(`${method} ${path}: status ${status}: ${message}`)
}

function messageIn(body: unknown): string {
  if (typeof body === 'object' && body !== null && 'error' in body) return String(body.error)
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
}

/** Compiles a parser of replies, which PowerDNS controls. */
export function parserOf<Schema extends TSchema>(schema: Schema): (body: unknown) => Static<Schema> {
  let compiled: ReturnType<typeof Compile<Schema>> | undefined
  return (body) => (compiled ??= Compile(schema)).Parse(body)
}

/** Escapes a zone as the API names it: `=` and two digits for what is no letter, digit, `.`, `-` or `_`. */
export const zonePath = (zone: string): string =>
  `/zones/${zone.replaceAll(/[^\w.-]/g, (one) => `=${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)}.`
