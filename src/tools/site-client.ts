import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { Semaphore } from '../core/semaphore.ts'

/** A website as it is fetched from this host, by one of its names. */
export interface Visit {
  readonly name: string
  readonly isTls: boolean
  /** An upstream that does not answer is told with different statuses by different web servers. */
  readonly isProxy: boolean
}

/** What names answered, by scheme, address family and name; names without an answer are absent. */
export type Statuses = Readonly<Record<string, string>>

interface VisitOptions {
  readonly ports: { readonly http: number; readonly https: number }
  readonly hasIpv6: boolean
}

const atOnce = 16
const timeoutMs = 20_000

/** Fetches `/` of each website from this host, over each address family. */
export async function visitSites(
  visits: readonly Visit[],
  { ports, hasIpv6 }: VisitOptions,
): Promise<Statuses> {
  const lanes = new Semaphore(atOnce)
  const families = hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1']
  const asked = visits.flatMap((visit) => families.map((address) => ({ ...visit, address })))
  const found = await Promise.all(
    asked.map((each) => lanes.run(async () => [keyOf(each), await statusOf(each, ports)] as const)),
  )
  return Object.fromEntries(found.flatMap(([key, status]) => (status === undefined ? [] : [[key, status]])))
}

/** Lists what answered before and answers otherwise now, or not at all. */
export function differences(before: Statuses, after: Statuses): readonly string[] {
  return Object.entries(before)
    .filter(([key, status]) => after[key] !== status)
    .map(([key, status]) => `${key} answered ${status}, and now ${after[key] ?? 'nothing'}`)
}

interface Asked extends Visit {
  readonly address: string
}

const keyOf = ({ name, isTls, address }: Asked): string =>
  `${isTls ? 'https' : 'http'}://${name}/ over ${address === '::1' ? 'IPv6' : 'IPv4'}`

function statusOf(
  { name, isTls, isProxy, address }: Asked,
  { http, https }: VisitOptions['ports'],
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const options = { host: address, path: '/', headers: { host: name }, agent: false, timeout: timeoutMs }
  const query = isTls
    ? requestTls({ ...options, port: https, servername: name, rejectUnauthorized: false })
    : requestPlain({ ...options, port: http })
  query.on('response', (answer) => {
    resolve(shown(answer.statusCode ?? 0, isProxy))
    answer.on('error', () => {}) // the body does not matter, and is broken off
    query.destroy()
  })
  query.on('timeout', () => query.destroy())
  query.on('error', () => resolve(undefined)) // no answer is a valid result here
  query.on('close', () => resolve(undefined))
  query.end()
  return promise
}

const shown = (status: number, isProxy: boolean): string =>
  isProxy && [502, 503, 504].includes(status) ? 'an upstream that does not answer' : String(status)

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

const pageMs = 60_000
const mostBytes = 512 * 1024

/** Fetches a page of a website from this host; undefined without an answer. */
export function fetchSitePage(
  { name, path, isTls }: PageAsked,
  signal: AbortSignal,
  ports = { http: 80, https: 443 },
): Promise<SitePage | undefined> {
  const { promise, resolve } = Promise.withResolvers<SitePage | undefined>()
  const limit = AbortSignal.any([signal, AbortSignal.timeout(pageMs)])
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
