import { existsSync, readFileSync } from 'node:fs'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Config } from '../config.ts'

/** The reply of the running panel. */
export interface Answer {
  readonly status: number
  readonly text: string
}

/** Asks the running panel over its unix socket; undefined when none runs. */
export async function request(
  config: Pick<Config, 'data_dir'>,
  method: string,
  path: string,
  body?: unknown,
  limitMs = 600_000,
): Promise<Answer | undefined> {
  const response = await openResponse(config, method, path, body, limitMs)
  return response && { status: response.statusCode ?? 0, text: await text(response) }
}

/** The same, with a reply that is still to be read. */
export function openResponse(
  config: Pick<Config, 'data_dir'>,
  method: string,
  path: string,
  body?: unknown,
  limitMs = 600_000,
): Promise<IncomingMessage | undefined> {
  const socketPath = `${config.data_dir}/panel.sock`
  const tokenPath = `${config.data_dir}/local.token`
  if (!existsSync(socketPath) || !existsSync(tokenPath)) return Promise.resolve(undefined)
  const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const headers = {
    authorization: `Bearer ${readFileSync(tokenPath, 'utf8')}`,
    'content-type': 'application/json',
    // Node sends a DELETE without it as one without a body
    ...(content && { 'content-length': content.length }),
  }
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ socketPath, method, path, headers, timeout: limitMs }, resolve)
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${limitMs / 1000} s`)))
    sent.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' || error.code === 'ENOENT' ? resolve(undefined) : reject(error),
    )
    sent.end(content)
  })
}
