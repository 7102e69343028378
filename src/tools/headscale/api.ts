import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { ApiRequest } from '../../host/apply/steps.ts'
import type { Host } from '../../host/index.ts'
import { apiPort } from './layout.ts'
import { KeyMissing, ServerRefused } from './problems.ts'
import { readStoredKey } from './stored-key.ts'

/** The REST API of the control server. Paths are relative to the API: `/user`. */
export interface HeadscaleApi {
  /** Sends a request; throws ServerRefused, unless the message of the refusal is one that is excused: then undefined. */
  send(request: ApiRequest, excused?: RegExp): Promise<unknown>
  /** True if the server answers within two seconds that it is well. */
  isWell(): Promise<boolean>
}

const mostMessage = 2000

/** Opens the API; the key is read from its file with each request. */
export function openApi({ connect, files }: Pick<Host, 'connect' | 'files'>, port = apiPort): HeadscaleApi {
  const target = { name: 'The control server', at: { port } }
  return {
    send: async (request, excused) => {
      const stored = await readStoredKey({ files })
      if (stored === undefined) throw KeyMissing()
      const { status, body } = await connect
        .http({ ...target, timeoutMs: 30_000, headers: () => ({ authorization: `Bearer ${stored.key}` }) })
        .send({ ...request, path: `/api/v1${request.path}` })
      if (status >= 200 && status < 300) return body
      const message = messageIn(body).slice(0, mostMessage)
      if (excused?.test(message)) return undefined
      throw ServerRefused(`${request.method} ${request.path}: status ${status}: ${message}`)
    },
    isWell: () =>
      connect
        .http({ ...target, timeoutMs: 2000, maxBytes: 64 * 1024 })
        .send({ method: 'GET', path: '/health' })
        .then(
          ({ status }) => status === 200,
          () => false,
        ),
  }
}

function messageIn(body: unknown): string {
  if (typeof body === 'object' && body !== null && 'message' in body) return String(body.message)
  return typeof body === 'string' ? body.trim() : (JSON.stringify(body) ?? '')
}

/** Compiles a parser of replies, which the control server controls. */
export function parserOf<Schema extends TSchema>(schema: Schema): (body: unknown) => Static<Schema> {
  let compiled: ReturnType<typeof Compile<Schema>> | undefined
  return (body) => (compiled ??= Compile(schema)).Parse(body)
}
