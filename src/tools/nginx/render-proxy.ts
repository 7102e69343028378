import { quoted } from './quote.ts'
import { documentRoot } from './render-static.ts'
import { responseBuffers } from './response-buffers.ts'
import type { NginxSite, SiteProxy } from './site.ts'

/**
 * Renders a proxy. `Connection` is `upgrade` only where the visitor asks for one, as for a WebSocket. What the
 * visitor claims about itself in the forwarded headers is replaced.
 */
export function proxySite(site: NginxSite): string[] {
  const { proxy } = site
  if (proxy === undefined) throw new Error(`the proxy ${site.domain} has no upstream`)
  return [
    `    client_max_body_size ${proxy.bodyMb}m;`,
    '    set $hostreeve_connection "";',
    '    if ($http_upgrade) {',
    '        set $hostreeve_connection upgrade;',
    '    }',
    ...errorPageFiles(site),
    '    location / {',
    `        proxy_pass ${quoted(addressOf(proxy.upstream))};`,
    '        proxy_http_version 1.1;',
    '        proxy_set_header Host $host;',
    '        proxy_set_header Upgrade $http_upgrade;',
    '        proxy_set_header Connection $hostreeve_connection;',
    '        proxy_set_header X-Real-IP $remote_addr;',
    '        proxy_set_header X-Forwarded-For $remote_addr;',
    '        proxy_set_header X-Forwarded-Proto $scheme;',
    '        proxy_set_header X-Forwarded-Host $host;',
    '        proxy_set_header X-Forwarded-Port $server_port;',
    '        proxy_set_header Forwarded "";',
    '        proxy_redirect default;',
    '        proxy_connect_timeout 10s;',
    `        proxy_read_timeout ${proxy.seconds}s;`,
    `        proxy_send_timeout ${proxy.seconds}s;`,
    '        proxy_buffering on;',
    ...responseBuffers('proxy'),
    '    }',
  ]
}

/** Error pages come from the folder of the site: its upstream may be what has failed. */
function errorPageFiles(site: NginxSite): string[] {
  const paths = new Set((site.options?.errorPages ?? []).map(({ path }) => path))
  if (paths.size === 0) return []
  return [
    ...documentRoot(site),
    '    disable_symlinks if_not_owner;',
    ...[...paths].flatMap((path) => [
      `    location = ${quoted(path)} {`,
      '        internal;',
      '        try_files $uri =404;',
      '    }',
    ]),
  ]
}

function addressOf(upstream: SiteProxy['upstream']): string {
  if ('socket' in upstream) return `http://unix:${upstream.socket}:`
  const { address, port } = upstream
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}
