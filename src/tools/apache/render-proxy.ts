import { challengePath } from '../nginx/render-tls.ts'
import type { NginxSite, SiteProxy } from '../nginx/site.ts'
import { count, exactly, quoted } from './quote.ts'
import { bodyLimit } from './render-php.ts'

/**
 * Renders a proxy. Apache tunnels an upgraded connection, as to a WebSocket, for as long as either side may be silent: that of
 * the visitor has the limit of upgrades, that of the upstream the one of requests.
 */
export function proxySite(site: NginxSite): string[] {
  const { proxy } = site
  if (proxy === undefined) throw new Error(`the proxy ${site.domain} has no upstream`)
  return [
    `    Timeout ${count(Math.max(proxy.seconds, proxy.upgradeSeconds))}`,
    ...bodyLimit(proxy.bodyMb),
    ...forwardedHeaders,
    ...errorPageFiles(site),
    `    ProxyPass ${quoted(`${challengePath}/`)} "!"`,
    ...forwarded(proxy),
  ]
}

/** What the visitor claims about itself in the forwarded headers is replaced. */
const forwardedHeaders = [
  '    ProxyRequests Off',
  '    ProxyPreserveHost On',
  '    ProxyAddHeaders Off',
  '    AllowEncodedSlashes NoDecode',
  '    RequestHeader set X-Real-IP "expr=%{REMOTE_ADDR}"',
  '    RequestHeader set X-Forwarded-For "expr=%{REMOTE_ADDR}"',
  '    RequestHeader set X-Forwarded-Proto "expr=%{REQUEST_SCHEME}"',
  '    RequestHeader set X-Forwarded-Host "expr=%{SERVER_NAME}"',
  '    RequestHeader set X-Forwarded-Port "expr=%{SERVER_PORT}"',
  '    RequestHeader unset Forwarded',
]

/** A failed upstream is tried again with the next request, and no connection to it is kept, as by nginx. */
function forwarded({ upstream, seconds, tls }: SiteProxy): string[] {
  const url = addressOf(upstream, tls !== null)
  const parameters = `nocanon retry=0 disablereuse=On connectiontimeout=10 timeout=${count(seconds)} upgrade=ANY`
  return [
    ...(tls === null ? [] : unverified),
    `    ProxyPass "/" ${quoted(url)} ${parameters}`,
    ...('socket' in upstream ? [] : [`    ProxyPassReverse "/" ${quoted(url)}`]),
  ]
}

/** Certificates that are checked by name are among what Apache lacks. */
const unverified = [
  '    SSLProxyEngine on',
  '    SSLProxyProtocol -all +TLSv1.2 +TLSv1.3',
  '    SSLProxyVerify none',
  '    SSLProxyCheckPeerName off',
  '    SSLProxyCheckPeerCN off',
  '    SSLProxyCheckPeerExpire off',
]

/** Error pages come from the folder of the site, and are shown for errors alone. */
function errorPageFiles(site: NginxSite): string[] {
  const paths = [...new Set((site.options?.errorPages ?? []).map(({ path }) => path))]
  if (paths.length === 0) return []
  return [
    `    DocumentRoot ${quoted(site.root)}`,
    ...paths.flatMap((path) => [
      '    RewriteCond "%{ENV:REDIRECT_STATUS}" "^$"',
      `    RewriteRule ${exactly(path)} "-" [R=404,L]`,
      `    ProxyPass ${quoted(path)} "!"`,
    ]),
  ]
}

function addressOf(upstream: SiteProxy['upstream'], isTls: boolean): string {
  if ('socket' in upstream) return `unix:${upstream.socket}|http://localhost/`
  const { address, port } = upstream
  const host = address.includes(':') ? `[${address}]` : address
  return `${isTls ? 'https' : 'http'}://${host}:${count(port)}/`
}
