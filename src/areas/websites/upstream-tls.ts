import { createHash, X509Certificate } from 'node:crypto'
import { type Step, step } from '../../core/change.ts'
import { isV4 } from '../../host/fetch/index.ts'
import type { NginxSite } from '../../tools/nginx/index.ts'
import type { Websites } from './context.ts'
import { SettingInvalid, UpstreamInvalid } from './problems.ts'
import { type ProxySettings, type SiteSettings, tlsName } from './settings-model.ts'
import type { StoredWebsite } from './store.ts'
import { parseUpstream } from './upstream.ts'

type Nginx = Pick<Websites['nginx'], 'steps' | 'certificatePath' | 'layout'>

/** Returns the settings of an edit with nothing but certificates in `ca`. */
export function readProxySettings(edit: Partial<ProxySettings> = {}): Partial<ProxySettings> {
  return typeof edit.ca === 'string' ? { ...edit, ca: readAuthorities(edit.ca) } : edit
}

const block = /-----BEGIN ([A-Z0-9 ]+)-----[A-Za-z0-9+/=\s]+-----END \1-----/g

function readAuthorities(text: string): string {
  const blocks = [...text.matchAll(block)]
  if (blocks.length === 0 || blocks.some(([, kind]) => kind !== 'CERTIFICATE'))
    throw SettingInvalid('proxy_settings.ca: must be certificates in PEM, and nothing else')
  try {
    return blocks.map(([pem]) => `${new X509Certificate(pem).toString().trim()}\n`).join('')
  } catch (cause) {
    throw SettingInvalid('proxy_settings.ca: contains a certificate that cannot be parsed', { cause })
  }
}

/** Fails where nginx could verify no certificate: it compares names, and an address is none. */
export function assertVerifiable({ upstream, proxy_settings }: SiteSettings): void {
  if (upstream === null) return
  const target = parseUpstream(upstream)
  if ('socket' in target || !target.isTls) return
  const name = nameOf(target.host, proxy_settings)
  if (name !== null && !tlsName.test(name))
    throw UpstreamInvalid(
      `upstream: ${target.host} is not a name that a certificate can have: set proxy_settings.tls_name`,
    )
  if (name === null && proxy_settings.verify_tls)
    throw UpstreamInvalid(
      `upstream: the certificate of ${target.host} is verified by name: give a host name, set proxy_settings.tls_name, or turn off proxy_settings.verify_tls`,
    )
}

/** Returns how nginx protects the connection to the upstream of a website; null for a plain one. */
export function upstreamTls(
  { certificatePath, layout }: Pick<Nginx, 'certificatePath' | 'layout'>,
  { id, settings: { upstream, proxy_settings } }: Pick<StoredWebsite, 'id' | 'settings'>,
): NonNullable<NginxSite['proxy']>['tls'] {
  const target = upstream === null ? undefined : parseUpstream(upstream)
  if (target === undefined || 'socket' in target || !target.isTls) return null
  const { verify_tls, ca } = proxy_settings
  const trusted = ca === null ? layout.authoritiesPath : certificatePath(fileOf(id, ca))
  return { name: nameOf(target.host, proxy_settings), authorities: verify_tls ? trusted : null }
}

/** Null for an address. */
function nameOf(host: string, { tls_name }: ProxySettings): string | null {
  if (tls_name !== null) return tls_name
  return host.startsWith('[') || isV4(host) ? null : host
}

/** Returns the steps that write the authorities of a website's upstream, and those that remove the former ones, to be done last. */
export function authoritySteps(
  { nginx }: { readonly nginx: Pick<Nginx, 'steps'> },
  was: StoredWebsite | undefined,
  next: StoredWebsite | undefined,
): { readonly first: readonly Step[]; readonly last: readonly Step[] } {
  const [former, wanted] = [authoritiesOf(was), authoritiesOf(next)]
  if (former?.file === wanted?.file) return { first: [], last: [] }
  const { writeCertificate } = nginx.steps
  return {
    first: wanted === undefined ? [] : [step(writeCertificate, wanted)],
    last: former === undefined ? [] : [step(writeCertificate, { file: former.file, content: null })],
  }
}

function authoritiesOf(site: StoredWebsite | undefined) {
  const ca = site?.settings.proxy_settings.ca ?? null
  return site === undefined || ca === null ? undefined : { file: fileOf(site.id, ca), content: ca }
}

/** Other authorities have another file, so that nginx can go back to the former ones. */
const fileOf = (id: number, ca: string): string =>
  `upstream-${id}-${createHash('sha256').update(ca).digest('hex').slice(0, 16)}.pem`
