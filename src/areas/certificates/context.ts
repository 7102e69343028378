import { resolve } from 'node:path'
import { area } from '../../core/area.ts'
import type { StepKind, StepRun } from '../../core/change.ts'
import type { Log } from '../../core/endpoint.ts'
import type { Host } from '../../host/index.ts'
import type { Nginx } from '../../tools/nginx/index.ts'
import type { Deps } from '../deps.ts'
import { type Websites, websites } from '../websites/index.ts'
import { accountKeyOf } from './acme/account-key.ts'
import { type AskAuthority, openAuthority } from './acme/exchange.ts'
import { messageOf, orderCertificate } from './acme/order.ts'
import { type DnsChallenges, dnsChallenges } from './challenges.ts'
import { type OrderArgs, type OrderResult, orderStep } from './order-step.ts'
import { OrderFailed } from './problems.ts'
import { retryAfterMs, retryAt } from './renewal.ts'
import { type CertificateQueries, certificateQueries } from './store.ts'

/** Certificates of websites, as the verbs of the area reach them. */
export interface Certificates {
  readonly queries: CertificateQueries
  readonly websites: Websites
  readonly nginx: Nginx
  readonly host: Pick<Host, 'files' | 'fetch' | 'addresses'>
  /** Asks the certificate authority. */
  readonly ask: AskAuthority
  /** The ACME directory of the certificate authority. */
  readonly directory: string
  readonly order: StepKind<OrderArgs, null, OrderResult>
  /** Undefined if no area publishes records of this name. */
  readonly dnsFor: (name: string) => Promise<DnsChallenges | undefined>
  readonly execute: Deps['executor']['execute']
  readonly log: Log
}

const letsEncrypt = 'https://acme-v02.api.letsencrypt.org/directory'

/** Binds the area to the websites, nginx and the certificate authority. */
export function openCertificates(deps: Deps): Certificates {
  const { store, host, tools, use, settings, executor, log, partsOf } = deps
  const { data_dir = '', acme_directory: directory = '' } = settings.configuration.running
  const { nginx } = tools
  const queries = certificateQueries(store)
  const dnsFor = async (name: string) => {
    for (const each of partsOf(dnsChallenges)) if (await each.covers(name)) return each
    return undefined
  }
  const ask = openAuthority(host.fetch, directory)
  const keys = `${resolve(data_dir)}/acme`
  const sites = use(websites).websites
  const isStored = async (id: number) => (await sites.queries.find(id)) !== undefined
  const order = orderStep({
    files: host.files,
    directory: nginx.layout.certificatesDirectory,
    pathOf: nginx.certificatePath,
    obtain: (args, run) => obtain({ queries, host, nginx, ask, dnsFor, keys, isStored }, args, run),
  })
  return {
    queries,
    websites: sites,
    nginx,
    host,
    ask,
    directory: directory === '' ? letsEncrypt : directory,
    order,
    dnsFor,
    execute: executor.execute,
    log,
  }
}

interface Obtaining extends Pick<Certificates, 'queries' | 'nginx' | 'ask' | 'dnsFor'> {
  readonly host: Pick<Host, 'files'>
  /** The directory of the account keys. */
  readonly keys: string
  /** False for a website that the same change creates. */
  readonly isStored: (websiteId: number) => Promise<boolean>
}

/** Orders a certificate; a failure is remembered, with the time that the authority asks to wait. */
async function obtain(on: Obtaining, args: OrderArgs, run: StepRun<unknown>): Promise<string> {
  const { host, nginx, queries } = on
  const { challengesDirectory } = nginx.layout
  const { signal } = run
  let asked: string | undefined
  const pathOf = (token: string) => {
    if (!/^[A-Za-z0-9_-]{1,200}$/.test(token))
      throw new Error('the authority sent a challenge whose token is not one')
    return `${challengesDirectory}/${token}`
  }
  try {
    const accountKey = await accountKeyOf(host.files, on.keys, args.directory)
    await host.files.makeDirectory(challengesDirectory, { mode: 0o755 })
    const proofs = {
      serve: (token: string, answer: string) => host.files.write(pathOf(token), answer),
      withdraw: (token: string) => host.files.remove(pathOf(token)),
      dnsFor: on.dnsFor,
      progress: run.progress,
    }
    const talk = { ask: on.ask, signal, onRetryAfter: (header: string) => (asked = header) }
    return await orderCertificate({ ...args, accountKey }, proofs, talk)
  } catch (cause) {
    if (signal.aborted && signal.reason instanceof Error && signal.reason.name !== 'TimeoutError') throw cause
    const message = messageOf(cause)
    if (await on.isStored(args.website_id)) await noteFailure(queries, args, { message, asked })
    throw OrderFailed(message, { cause })
  }
}

interface Failed {
  readonly message: string
  /** What the authority answered as Retry-After. */
  readonly asked: string | undefined
}

async function noteFailure(
  queries: CertificateQueries,
  { website_id }: OrderArgs,
  { message, asked }: Failed,
): Promise<void> {
  const now = new Date()
  const former = await queries.certificate(website_id)
  const count = ((await queries.failure(website_id))?.count ?? 0) + 1
  const lifetimeMs = former && Date.parse(former.not_after) - Date.parse(former.not_before)
  const retry = retryAt({ now, count, retryAfterMs: retryAfterMs(asked, now), lifetimeMs })
  const [failed_at, retry_at] = [now.toISOString(), retry.toISOString()]
  await queries.noteFailure({ website_id, error: message, failed_at, count, retry_at })
}

export interface Context {
  readonly certificates: Certificates
}

export const { endpoint, work } = area.of<Context>()
