import type { FastifyInstance } from 'fastify'

/** The options of a request. */
export interface Asked {
  /** The caller: a user or a bearer token; anonymous if absent. */
  readonly as?: { readonly token: string } | string
  /** Sent as JSON; a string as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly ip?: string
}

/** The reply. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly text: string
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: any
  /** `data` of the body. */
  readonly data: any
  /** `error` of the body. */
  readonly error: { readonly code: string; readonly message: string } & Readonly<Record<string, unknown>>
}

/** Sends a request through the surface, without a socket. */
export async function ask(
  app: FastifyInstance,
  method: string,
  path: string,
  { as, body, headers, ip }: Asked,
): Promise<Answer> {
  const token = typeof as === 'string' ? as : as?.token
  const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await app.inject({
    method: method as 'GET',
    url: path,
    ...(ip !== undefined && { remoteAddress: ip }),
    headers: {
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(payload !== undefined && { payload }),
  })
  const json = parsed(answer.body)
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.body,
    json,
    data: json?.data,
    error: json?.error,
  }
}

function parsed(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
