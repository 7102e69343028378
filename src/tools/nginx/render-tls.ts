import { logDirectory, type NginxLayout } from './layout.ts'
import { hostWord, quoted, serverName } from './quote.ts'

/** How a site is served over TLS. */
export interface SiteTls {
  readonly id: number
  readonly domain: string
  readonly aliases: readonly string[]
  /** The name of its file, which contains the certificate, its chain and its key; null without TLS. */
  readonly certificate: string | null
  /** Redirects http to https; without effect as long as there is no certificate. */
  readonly redirectsToHttps: boolean
  /** Has browsers use https alone for a year. */
  readonly hasHsts: boolean
}

export type SiteLayout = Pick<
  NginxLayout,
  | 'listen'
  | 'listenTls'
  | 'logsDirectory'
  | 'certificatesDirectory'
  | 'challengesDirectory'
  | 'cacheDirectory'
  | 'homesDirectory'
>

/** The path below which certificate authorities look for the answers to their challenges (RFC 8555, section 8.3). */
export const challengePath = '/.well-known/acme-challenge'

/** The last part of the path at which each site names itself, to check that a name leads to it. */
export const probeName = 'hostreeve'

/** The answer of a site at the path of the probe. */
export const probeAnswer = (siteId: number): string => `website ${siteId}`

/** The path of a certificate; its name must be a plain one. */
export function certificatePath(layout: Pick<NginxLayout, 'certificatesDirectory'>, file: string): string {
  if (!/^[0-9a-z-]{1,100}\.pem$/.test(file)) throw new Error(`not the name of a certificate: ${file}`)
  return `${layout.certificatesDirectory}/${file}`
}

/** Renders the server that redirects to https, if the site has one. */
export function redirecting(site: SiteTls, layout: SiteLayout): string[] {
  if (!redirects(site)) return []
  const logs = logDirectory(layout, site.domain)
  return [
    'server {',
    ...layout.listen.map((address) => `    listen ${quoted(address)};`),
    `    server_name ${[hostWord(site.domain), ...site.aliases.map(serverName)].join(' ')};`,
    '    server_tokens off;',
    `    access_log ${quoted(`${logs}/access.log`)} combined;`,
    `    error_log ${quoted(`${logs}/error.log`)};`,
    ...challenges(site, layout),
    '    location / {',
    '        return 301 https://$host$request_uri;',
    '    }',
    '}',
  ]
}

/** Renders where a site listens, its certificate, and the answers to challenges. */
export function tlsLines(site: SiteTls, layout: SiteLayout): string[] {
  const plain = redirects(site) ? [] : layout.listen
  return [
    ...plain.map((address) => `    listen ${quoted(address)};`),
    ...(site.certificate === null ? [] : certified(site, site.certificate, layout)),
    ...challenges(site, layout),
  ]
}

const redirects = ({ certificate, redirectsToHttps }: SiteTls): boolean =>
  certificate !== null && redirectsToHttps

function certified(site: SiteTls, certificate: string, layout: SiteLayout): string[] {
  const path = quoted(certificatePath(layout, certificate))
  // over http, a browser must ignore the header (RFC 6797, section 7.2)
  const hsts = '    add_header Strict-Transport-Security max-age=31536000 always;'
  return [
    ...layout.listenTls.map((address) => `    listen ${quoted(address)} ssl http2;`),
    `    ssl_certificate ${path};`,
    `    ssl_certificate_key ${path};`,
    '    ssl_protocols TLSv1.2 TLSv1.3;',
    '    ssl_session_cache shared:hostreeve:10m;',
    ...(redirects(site) && site.hasHsts ? [hsts] : []),
  ]
}

/** Renders a server that answers the challenges for a name that belongs to no website, and nothing else. */
export function renderChallenges(
  name: string,
  layout: Pick<NginxLayout, 'listen' | 'challengesDirectory'>,
): string {
  return [
    'server {',
    ...layout.listen.map((address) => `    listen ${quoted(address)};`),
    `    server_name ${hostWord(name)};`,
    '    server_tokens off;',
    '    access_log off;',
    ...answers(layout),
    '    location / {',
    '        return 404;',
    '    }',
    '}',
    '',
  ].join('\n')
}

/** Answered also by a suspended site and without a password, and never redirected, whose certificate may be the one that is missing. */
function challenges({ id }: SiteTls, layout: SiteLayout): string[] {
  return [
    `    location = ${challengePath}/${probeName} {`,
    '        auth_basic off;',
    '        default_type text/plain;',
    `        return 200 ${quoted(probeAnswer(id))};`,
    '    }',
    ...answers(layout),
  ]
}

function answers({ challengesDirectory }: Pick<NginxLayout, 'challengesDirectory'>): string[] {
  return [
    `    location ^~ ${challengePath}/ {`,
    '        auth_basic off;',
    '        default_type text/plain;',
    `        alias ${quoted(`${challengesDirectory}/`)};`,
    '    }',
  ]
}
