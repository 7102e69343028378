import type { NginxLayout } from './layout.ts'
import { quoted } from './quote.ts'

/** A program on loopback that the panel shows to the network, on a port of its own. */
export interface ServedGateway {
  readonly port: number
  /** The port of the program on loopback. */
  readonly upstream: number
  /** Absolute paths of a certificate with its chain, and of its key. */
  readonly certificate: { readonly cert: string; readonly key: string }
}

/** Renders a program on loopback, over TLS alone. Its paths are not logged: they may have secrets in them. */
export function renderGateway(
  { port, upstream, certificate }: ServedGateway,
  { listenTls }: Pick<NginxLayout, 'listenTls'>,
): string {
  return [
    'server {',
    ...listenTls.map((address) => `    listen ${quoted(address.replace(/443$/, String(port)))} ssl;`),
    '    server_name _;',
    '    server_tokens off;',
    '    access_log off;',
    `    ssl_certificate ${quoted(certificate.cert)};`,
    `    ssl_certificate_key ${quoted(certificate.key)};`,
    '    ssl_protocols TLSv1.2 TLSv1.3;',
    '    client_max_body_size 32m;',
    '    error_page 497 =301 https://$http_host$request_uri;',
    '    set $hostreeve_connection "";',
    '    if ($http_upgrade) {',
    '        set $hostreeve_connection upgrade;',
    '    }',
    '    location / {',
    `        proxy_pass http://127.0.0.1:${upstream};`,
    '        proxy_http_version 1.1;',
    '        proxy_set_header Upgrade $http_upgrade;',
    '        proxy_set_header Connection $hostreeve_connection;',
    '        proxy_set_header Host $http_host;',
    '        proxy_set_header X-Forwarded-For $remote_addr;', // replaced: what a visitor sends proves nothing
    '        proxy_set_header X-Forwarded-Proto https;',
    '        proxy_read_timeout 3600s;',
    '    }',
    '}',
    '',
  ].join('\n')
}
