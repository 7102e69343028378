import { hostWord, quoted } from './quote.ts'
import { documentRoot } from './render-static.ts'
import type { SiteLayout } from './render-tls.ts'
import { responseBuffers } from './response-buffers.ts'
import type { NginxSite, SiteProxy, UpstreamTls } from './site.ts'

/**
 * Renders a proxy. nginx takes the time limits of a connection from its location, so that connections that the visitor
 * wants to upgrade, as to a WebSocket, have one of their own. `try_files` finds no file, and goes on to the location
 * that the variable names, with the URI of the request as it was sent.
 */
export function proxySite(site: NginxSite, layout: SiteLayout): string[] {
  const { proxy } = site
  if (proxy === undefined) throw new Error(`the proxy ${site.domain} has no upstream`)
  return [
    `    client_max_body_size ${proxy.bodyMb}m;`,
    '    set $hostreeve_upstream @plain;',
    '    if ($http_upgrade) {',
    '        set $hostreeve_upstream @upgraded;',
    '    }',
    ...errorPageFiles(site, layout),
    '    location / {',
    '        root /dev/null;',
    '        try_files / $hostreeve_upstream;',
    '    }',
    '    location @plain {',
    ...forwarded(proxy, { connection: '""', seconds: proxy.seconds }),
    '    }',
    '    location @upgraded {',
    ...forwarded(proxy, { connection: 'upgrade', seconds: Math.max(proxy.seconds, proxy.upgradeSeconds) }),
    '    }',
  ]
}

interface Forwarding {
  /** The header `Connection`, as nginx writes it. */
  readonly connection: string
  /** How long nginx waits for the upstream. */
  readonly seconds: number
}

/** What the visitor claims about itself in the forwarded headers is replaced. */
function forwarded({ upstream, tls }: SiteProxy, { connection, seconds }: Forwarding): string[] {
  return [
    `        proxy_pass ${quoted(`${tls === null ? 'http' : 'https'}://${addressOf(upstream)}`)};`,
    ...(tls === null ? [] : tlsToUpstream(tls)),
    '        proxy_http_version 1.1;',
    '        proxy_set_header Host $host;',
    '        proxy_set_header Upgrade $http_upgrade;',
    `        proxy_set_header Connection ${connection};`,
    '        proxy_set_header X-Real-IP $remote_addr;',
    '        proxy_set_header X-Forwarded-For $remote_addr;',
    '        proxy_set_header X-Forwarded-Proto $scheme;',
    '        proxy_set_header X-Forwarded-Host $host;',
    '        proxy_set_header X-Forwarded-Port $server_port;',
    '        proxy_set_header Forwarded "";',
    '        proxy_redirect default;',
    '        proxy_connect_timeout 10s;',
    `        proxy_read_timeout ${seconds}s;`,
    `        proxy_send_timeout ${seconds}s;`,
    '        proxy_buffering on;',
    ...responseBuffers('proxy'),
  ]
}

/** A chain may have several intermediate certificates, of which nginx takes one by default. */
function tlsToUpstream({ name, authorities }: UpstreamTls): string[] {
  return [
    '        proxy_ssl_protocols TLSv1.2 TLSv1.3;',
    ...(name === null
      ? []
      : ['        proxy_ssl_server_name on;', `        proxy_ssl_name ${hostWord(name)};`]),
    ...(authorities === null
      ? ['        proxy_ssl_verify off;']
      : [
          '        proxy_ssl_verify on;',
          '        proxy_ssl_verify_depth 5;',
          `        proxy_ssl_trusted_certificate ${quoted(authorities)};`,
        ]),
  ]
}

/** Error pages come from the folder of the site: its upstream may be what has failed. */
function errorPageFiles(site: NginxSite, layout: SiteLayout): string[] {
  const paths = new Set((site.options?.errorPages ?? []).map(({ path }) => path))
  if (paths.size === 0) return []
  return [
    ...documentRoot(site, layout),
    ...[...paths].flatMap((path) => [
      `    location = ${quoted(path)} {`,
      '        internal;',
      '        try_files $uri =404;',
      '    }',
    ]),
  ]
}

function addressOf(upstream: SiteProxy['upstream']): string {
  if ('socket' in upstream) return `unix:${upstream.socket}:`
  const { address, port } = upstream
  return `${address.includes(':') ? `[${address}]` : address}:${port}`
}
