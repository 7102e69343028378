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
