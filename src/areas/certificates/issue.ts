import { type Change, change, type RowWrite, type Step, step } from '../../core/change.ts'
import type { Caller } from '../../core/caller.ts'
import type { Lock } from '../../core/lock.ts'
import { Problem } from '../../core/problem.ts'
import { from } from '../../core/returned.ts'
import { createSelfSigned } from '../../host/self-signed.ts'
import {
  isWildcard,
  type LoadedWebsite,
  loadAnyWebsite,
  loadWebsite,
  withCertificate,
} from '../websites/index.ts'
import { missingInChain } from './chain.ts'
import { type Certificates, work } from './context.ts'
import { Issued, IssueInput, type IssueInput as Input } from './model.ts'
import { factsOf, readUploaded, type Servable } from './pem.ts'
import { IssuingAlready, NameRefused } from './problems.ts'
import { certificateFailures, websiteCertificates } from './store.ts'

const minuteMs = 60_000

/** Issues a certificate for a website and serves it; the former one is served until then. */
export const issuing = work({
  kind: 'certificates.issue',
  lane: 'network',
  input: IssueInput,
  reply: Issued,
  timeoutMs: 10 * minuteMs,
  attempts: 1,
  resumes: true,
  single: IssuingAlready,
  decide: async ({ input, caller, now, certificates }) => {
    const site = await siteOf(certificates, input.website_id, caller)
    const request = { now, site, caller }
    return input.method === 'acme'
      ? orderChange(certificates, input, request)
      : placeChange(certificates, await servableOf(input, site, now), { ...request, method: input.method })
  },
})

/** A renewal is decided in nobody's name. */
const siteOf = ({ websites }: Certificates, id: number, caller: Caller | null) =>
  caller === null ? loadAnyWebsite(websites, id) : loadWebsite(websites, id, caller)

interface Issuing {
  readonly now: Date
  readonly site: LoadedWebsite
}

async function orderChange(on: Certificates, input: Input, { now, site }: Issuing): Promise<Change<Issued>> {
  const former = await on.queries.certificate(site.id)
  const names = await orderedNames(on, site, input.names)
  const file = fileOf(site, now)
  const replaces = former?.directory === on.directory ? former.ari_id : null
  const { order, row, issued } = ordered(on, { site, names, file, replaces, now })
  return serving(
    on,
    { now, site },
    { file, row, first: [...(await challengesServed(on, site)), order], reply: { ...issued, warning: null } },
  )
}

interface Ordering extends Issuing {
  readonly names: string[]
  readonly file: string
  readonly replaces: string | null
}

/** Returns the step that orders a certificate, with what is stored and told of it. */
function ordered(on: Certificates, { site, names, file, replaces, now }: Ordering) {
  const { directory } = on
  const order = step(on.order, { website_id: site.id, names, directory, file, replaces })
  const issued = { names, issuer: from(order, 'issuer'), not_after: from(order, 'not_after') }
  const row = websiteCertificates.row({
    ...issued,
    website_id: site.id,
    method: 'acme',
    directory,
    not_before: from(order, 'not_before'),
    ari_id: from(order, 'ari_id'),
    renew_at: from(order, 'renew_at'),
    ari_at: now.toISOString(),
  })
  return { order, row, issued }
}

/** A website that a change creates, with its certificate. */
interface CertifiedSite {
  readonly site: LoadedWebsite
  /** Before the website is served. */
  readonly first: readonly Step[]
  /** Once it is. */
  readonly last: readonly Step[]
  readonly locks: readonly Lock[]
  readonly rows: readonly RowWrite[]
  readonly issued: Omit<Issued, 'warning'>
}

/** Returns what gives a website a certificate that another area creates: an authority has to see it served first. */
export async function certifiedSite(
  on: Certificates,
  site: LoadedWebsite,
  method: 'acme' | 'self_signed',
  now: Date,
): Promise<CertifiedSite> {
  if (method === 'self_signed') return placed(on, await selfSigned(site, now), { site, now, method })
  const file = fileOf(site, now)
  const names = await provable(on, [site.domain, ...site.aliases])
  const { order, row, issued } = ordered(on, { site, names, file, replaces: null, now })
  const served = await withCertificate(on.websites, site, file, { now, query: { overwrite: false } })
  return {
    site,
    first: [],
    last: [order, ...served.steps],
    locks: served.locks,
    rows: [served.row, websiteCertificates.insert(row)],
    issued,
  }
}

/**
 * Returns what serves a website that another area makes again with the certificate that it had; undefined for one that
 * may no longer be served, such as an expired one. It is not renewed, as the account that ordered it is not known.
 */
export function restoredCertificate(
  on: Pick<Certificates, 'nginx'>,
  site: LoadedWebsite,
  pem: string,
  now: Date,
): CertifiedSite | undefined {
  try {
    return placed(on, readUploaded({ certificate: pem, key: undefined }, site.domain, now), {
      site,
      now,
      method: 'upload',
    })
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

function placed(
  { nginx }: Pick<Certificates, 'nginx'>,
  { pem, names, issuer, notBefore, notAfter }: Servable,
  { now, site, method }: Issuing & { readonly method: 'upload' | 'self_signed' },
): CertifiedSite {
  const file = fileOf(site, now)
  const issued = { names: [...names], issuer, not_after: notAfter.toISOString() }
  const not_before = notBefore.toISOString()
  const row = websiteCertificates.row({ ...issued, website_id: site.id, method, not_before })
  return {
    site: { ...site, certificate: file },
    first: [step(nginx.steps.writeCertificate, { file, content: pem })],
    last: [],
    locks: [],
    rows: [websiteCertificates.insert(row)],
    issued,
  }
}

function placeChange(
  on: Certificates,
  { pem, names, issuer, notBefore, notAfter }: Servable,
  { now, site, method }: Issuing & { readonly method: 'upload' | 'self_signed' },
): Promise<Change<Issued>> {
  const file = fileOf(site, now)
  const issued = { names: [...names], issuer, not_after: notAfter.toISOString() }
  const row = websiteCertificates.row({
    ...issued,
    website_id: site.id,
    method,
    not_before: notBefore.toISOString(),
  })
  const first = [step(on.nginx.steps.writeCertificate, { file, content: pem })]
  const warning = missingInChain(pem)
  return serving(on, { now, site }, { file, row, first, reply: { ...issued, warning } })
}

interface Serving {
  readonly file: string
  readonly row: ReturnType<typeof websiteCertificates.row>
  /** The steps that make the file. */
  readonly first: readonly Step[]
  readonly reply: Issued
}

/** The former file is removed last: until then, nginx may have to go back to it. */
async function serving(
  { websites, nginx }: Certificates,
  { now, site }: Issuing,
  { file, row, first, reply }: Serving,
) {
  const {
    row: siteRow,
    steps,
    locks,
  } = await withCertificate(websites, site, file, { now, query: { overwrite: false } })
  const former = site.certificate
  return change({
    summary: `Issue a certificate for ${site.domain}`,
    locks,
    steps: [
      ...first,
      ...steps,
      ...(former === null ? [] : [step(nginx.steps.writeCertificate, { file: former, content: null })]),
    ],
    details: reply.warning === null ? [] : [reply.warning],
    rows: [
      siteRow,
      websiteCertificates.delete({ website_id: site.id }),
      websiteCertificates.insert(row),
      certificateFailures.delete({ website_id: site.id }),
    ],
    reply,
  })
}

/** A website whose file an earlier version of the panel wrote does not answer challenges yet. */
async function challengesServed(
  { websites, nginx }: Certificates,
  site: LoadedWebsite,
): Promise<readonly Step[]> {
  const server = await websites.serving()
  const { steps } = await withCertificate(websites, site, site.certificate, {
    now: new Date(0),
    query: { overwrite: false },
  })
  const isServed = ((await server.readSite(site.domain)) ?? '').includes(nginx.layout.challengesDirectory)
  return isServed ? [] : steps
}

const fileOf = ({ id }: LoadedWebsite, now: Date): string => `${id}-${now.getTime().toString(36)}.pem`

/** By default the names of the website that can be proved; others must be its own, or wildcards of them. */
async function orderedNames(
  on: Certificates,
  { domain, aliases }: LoadedWebsite,
  asked: readonly string[] | undefined,
): Promise<string[]> {
  const own = [domain, ...aliases]
  if (asked === undefined) return provable(on, own)
  for (const name of asked) {
    const base = name.replace(/^\*\./, '')
    if (!own.includes(base) && !own.includes(name))
      throw NameRefused(`names: ${name} is not a name of this website: add ${base} to its aliases`)
    if (name !== base && (await on.dnsFor(base)) === undefined)
      throw NameRefused(
        `names: ${name} is a wildcard, which is proved by a DNS record: the zone of ${base} must be served by this panel`,
      )
  }
  return [...asked]
}

/** A wildcard is proved by a DNS record alone; the status names those that are not covered. */
async function provable({ dnsFor }: Certificates, names: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const name of names)
    if (!isWildcard(name) || (await dnsFor(name.slice(2))) !== undefined) found.push(name)
  return found
}

async function servableOf(input: Input, { domain, aliases }: LoadedWebsite, now: Date): Promise<Servable> {
  if (input.method === 'upload')
    return readUploaded({ certificate: input.certificate, key: input.key }, domain, now)
  return selfSigned({ domain, aliases }, now)
}

async function selfSigned(
  { domain, aliases }: Pick<LoadedWebsite, 'domain' | 'aliases'>,
  now: Date,
): Promise<Servable> {
  const names = [domain, ...aliases].map((value) => ({ type: 'dns' as const, value }))
  const { cert, key } = await createSelfSigned(domain.slice(0, 64), names, now)
  return { ...factsOf(cert), pem: cert + key }
}
