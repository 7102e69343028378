import { resolve } from 'node:path'
import { area } from '../../core/area.ts'
import type { StepKind } from '../../core/change.ts'
import type { Log } from '../../core/endpoint.ts'
import type { Host } from '../../host/index.ts'
import type { Nginx } from '../../tools/nginx/index.ts'
import type { Deps } from '../deps.ts'
import { type Firewall, firewall } from '../firewall/index.ts'
import { type Websites, websites } from '../websites/index.ts'
import { type AskAuthority, openAuthority } from './acme/exchange.ts'
import { type DnsChallenges, dnsChallenges } from './challenges.ts'
import { type Failed, failureOf, obtain } from './obtain.ts'
import { type OrderArgs, type OrderResult, orderStep } from './order-step.ts'
import { openPanelCertificate, type PanelTls } from './panel/context.ts'
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
  /** The panel's own certificate. */
  readonly panel: PanelTls
  readonly firewall: Firewall
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
  const obtaining = { host, nginx, ask, dnsFor, keys }
  const order = orderStep({
    files: host.files,
    directory: nginx.layout.certificatesDirectory,
    pathOf: nginx.certificatePath,
    obtain: async (args, run) => {
      const failed = (failure: Failed) => noteFailure({ queries, websites: sites }, args, failure)
      const { chain, key } = await obtain(obtaining, args, run, failed)
      return chain + key
    },
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
    panel: openPanelCertificate(deps, obtaining),
    firewall: use(firewall).firewall,
    execute: executor.execute,
    log,
  }
}

/** Remembers a failed order, except for a website that the same change creates. */
async function noteFailure(
  { queries, websites }: Pick<Certificates, 'queries' | 'websites'>,
  { website_id }: OrderArgs,
  failed: Failed,
): Promise<void> {
  if ((await websites.queries.find(website_id)) === undefined) return
  const certificate = await queries.certificate(website_id)
  const count = (await queries.failure(website_id))?.count ?? 0
  await queries.noteFailure({ website_id, ...failureOf(failed, { count, certificate }, new Date()) })
}

export interface Context {
  readonly certificates: Certificates
}

export const { endpoint, work } = area.of<Context>()
