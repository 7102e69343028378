import { askAuthorities } from '../../host/reach/index.ts'
import { type Exchanged, isInternal, rangesOf } from '../../host/fetch/index.ts'
import { challengePath, probeAnswer, probeName } from '../../tools/nginx/index.ts'
import { isWildcard, type LoadedWebsite } from '../websites/index.ts'
import { messageOf } from './acme/order.ts'
import { readWarning } from './certificates.ts'
import type { Certificates } from './context.ts'
import type { CertificateCheck, CertificateExplanation } from './model.ts'

const limitMs = 15_000
const maxAnswerBytes = 256 * 1024
const mostNames = 100

/** Runs the checks that a person would run where a certificate is not issued, and names the first that fails. */
export async function explain(
  on: Certificates,
  site: LoadedWebsite,
  signal: AbortSignal,
): Promise<CertificateExplanation> {
  const { id, domain, aliases } = site
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  const authority = await askDirectory(on, limit)
  const names = [domain, ...aliases].slice(0, mostNames)
  const ofNames = names.map((name) => checksOf(on, { name, id, caa: authority.caa, signal: limit }))
  const checks = [...(await Promise.all(ofNames)).flat(), authority.check, ...(await checkChain(on, site))]
  const failing = checks.find(({ ok }) => !ok) ?? null
  return { ok: failing === null, failing, checks }
}

/** What an authority issues has its chain. */
async function checkChain(on: Certificates, site: LoadedWebsite): Promise<readonly CertificateCheck[]> {
  if ((await on.queries.certificate(site.id))?.method !== 'upload') return []
  const missing = await readWarning(on, site)
  const message = missing ?? 'Browsers can verify the chain of the uploaded certificate'
  return [{ check: 'chain', name: site.domain, ok: missing === null, message }]
}

interface Checking {
  readonly name: string
  readonly id: number
  /** The names of the authority in CAA records; undefined if they are not known. */
  readonly caa: readonly string[] | undefined
  readonly signal: AbortSignal
}

/** A check that cannot succeed because an earlier one failed is left out. */
async function checksOf(on: Certificates, checking: Checking): Promise<readonly CertificateCheck[]> {
  const { name, caa } = checking
  if (isWildcard(name)) return checkWildcard(on, checking)
  const resolves = await checkResolves(on, name)
  if (!resolves.ok) return [resolves]
  return [resolves, ...(await checkServed(on, checking)), await checkCaa(name, caa)]
}

/** No name of it leads anywhere by itself, and no challenge is fetched from it. */
async function checkWildcard(
  on: Certificates,
  { name, caa }: Checking,
): Promise<readonly CertificateCheck[]> {
  const base = name.slice(2)
  const ok = (await on.dnsFor(base)) !== undefined
  const message = ok
    ? `${name} is proved by a DNS record, which this panel publishes`
    : `${name} is not covered by a certificate of the authority: a wildcard is proved by a DNS record, and this panel does not serve the zone of ${base}`
  const proved = { check: 'challenge', name, ok, message } as const
  return ok ? [proved, await checkCaa(base, caa, true)] : [proved]
}

async function checkResolves({ host: { addresses } }: Certificates, name: string): Promise<CertificateCheck> {
  const found = await addresses.lookUp(name)
  const own = rangesOf(addresses.own())
  const isOpen = addresses.own().some((address) => !isInternal(address))
  const others = found.filter((address) => !own.has(address))
  const told = (ok: boolean, message: string): CertificateCheck => ({ check: 'resolves', name, ok, message })
  if (found.length === 0)
    return told(false, `${name} has no address: add an A record that leads to this host`)
  if (others.length === 0) return told(true, `${name} leads to ${found.join(', ')}, which is this host`)
  // behind a router, a host does not know its public address: the challenge tells
  return told(
    !isOpen,
    isOpen
      ? `${name} leads to ${others.join(', ')}, which is not this host (${addresses.own().join(', ')}): correct its A and AAAA records`
      : `${name} leads to ${others.join(', ')}; this host has private addresses only`,
  )
}

async function checkServed(
  on: Certificates,
  { name, id, signal }: Checking,
): Promise<readonly CertificateCheck[]> {
  const { addresses, fetch } = on.host
  const own = rangesOf(addresses.own())
  const isHere = (await addresses.lookUp(name)).every((address) => own.has(address))
  const url = `http://${name}${challengePath}/${probeName}`
  let answer: Exchanged
  try {
    // an address of this host is internal, and what it answers here is a constant
    const asker = { isAdmin: isHere }
    answer = await fetch.exchange({ method: 'GET', url, asker, maxBytes: maxAnswerBytes, signal })
  } catch (error) {
    const message = `Port 80 of ${name} does not answer: ${messageOf(error)}. Open it in every firewall on the way`
    return [{ check: 'reachable', name, ok: false, message }]
  }
  const reachable = { check: 'reachable', name, ok: true, message: `Port 80 of ${name} answers` } as const
  // Apache has a constant text only as that of an error
  const ok = [200, 410].includes(answer.status) && answer.text === probeAnswer(id)
  const served = `${url} is answered by this website`
  const other = `${url} is answered with ${answer.status} by something else: a proxy, a redirect or another server in front of the web server`
  return [reachable, { check: 'challenge', name, ok, message: ok ? served : other }]
}

async function checkCaa(
  name: string,
  known: readonly string[] | undefined,
  isForWildcard = false,
): Promise<CertificateCheck> {
  const told = (ok: boolean, message: string): CertificateCheck => ({ check: 'caa', name, ok, message })
  try {
    const found = await askAuthorities(name, isForWildcard)
    if (found === undefined) return told(true, `No CAA record restricts who may issue for ${name}`)
    const allowed = found.issuers.filter((issuer) => issuer !== '')
    const listed = `CAA of ${found.name} allows ${allowed.join(', ') || 'nobody'}`
    if (allowed.length > 0 && (known === undefined || known.some((each) => allowed.includes(each))))
      return told(true, listed)
    return told(false, `${listed}: add the record 0 issue "${known?.[0] ?? 'your authority'}"`)
  } catch (error) {
    return told(false, `The name servers of ${name} do not answer for CAA: ${messageOf(error)}`)
  }
}

async function askDirectory({ ask, directory }: Certificates, signal: AbortSignal) {
  const told = (ok: boolean, message: string): CertificateCheck => ({
    check: 'directory',
    name: directory,
    ok,
    message,
  })
  try {
    const asked = { url: directory, maxBytes: maxAnswerBytes, signal }
    const { status, text } = await ask({ method: 'GET', ...asked })
    const parsed: unknown = JSON.parse(text)
    if (status !== 200 || typeof parsed !== 'object' || parsed === null || !('newOrder' in parsed))
      return { check: told(false, `${directory} answers ${status}, and no ACME directory`), caa: undefined }
    return { check: told(true, 'The certificate authority answers'), caa: identitiesIn(parsed) }
  } catch (error) {
    return {
      check: told(false, `The certificate authority does not answer: ${messageOf(error)}`),
      caa: undefined,
    }
  }
}

function identitiesIn(directory: object): readonly string[] | undefined {
  const meta: unknown = 'meta' in directory ? directory.meta : undefined
  const found: unknown =
    typeof meta === 'object' && meta !== null && 'caaIdentities' in meta ? meta.caaIdentities : undefined
  const names = Array.isArray(found) ? found.filter((each) => typeof each === 'string') : []
  return names.length === 0 ? undefined : names
}
