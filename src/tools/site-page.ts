import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'

/** A page of a website, as it is fetched from this host. */
export interface PageAsked {
  readonly name: string
  readonly path: string
  readonly isTls: boolean
}

/** What a page answered. */
export interface SitePage {
  readonly status: number
  readonly location: string | null
  /** The beginning of the body. */
  readonly text: string
}

const timeoutMs = 60_000
const mostBytes = 512 * 1024

/** Fetches a page of a website from this host; undefined without an answer. */
export function fetchSitePage(
  { name, path, isTls }: PageAsked,
  signal: AbortSignal,
  ports = { http: 80, https: 443 },
): Promise<SitePage | undefined> {
  const { promise, resolve } = Promise.withResolvers<SitePage | undefined>()
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const options = { host: '127.0.0.1', path, headers: { host: name }, agent: false, signal: limit }
  const query = isTls
    ? requestTls({ ...options, port: ports.https, servername: name, rejectUnauthorized: false })
    : requestPlain({ ...options, port: ports.http })
  query.on('response', (answer) => {
    const parts: Buffer[] = []
    let bytes = 0
    const done = () =>
      resolve({
        status: answer.statusCode ?? 0,
        location: answer.headers.location ?? null,
        text: Buffer.concat(parts).toString('utf8'),
      })
    answer.on('data', (part: Buffer) => {
      parts.push(part)
      bytes += part.length
      if (bytes <= mostBytes) return
      done()
      query.destroy()
    })
    answer.on('end', done)
    answer.on('error', done) // a page that breaks off has its status
    answer.on('close', done)
  })
  query.on('error', () => resolve(undefined)) // no answer is a valid result here
  query.on('close', () => setImmediate(() => resolve(undefined)))
  query.end()
  return promise
}
