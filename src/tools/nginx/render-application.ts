import type { NginxLayout } from './layout.ts'
import { literal, quoted } from './quote.ts'
import { parameters } from './render-php.ts'
import { responseBuffers } from './response-buffers.ts'

/** A PHP application that the panel itself brings, on a port of its own and below a path that visitors have to know. */
export interface Application {
  readonly port: number
  /** The only part of its path, of letters and digits. */
  readonly alias: string
  /** Absolute path of the directory with its `index.php`. */
  readonly root: string
  /** Files and folders directly below it that are never shown. */
  readonly hidden: readonly string[]
  /** Absolute path of the socket of its pool. */
  readonly socket: string
  /** Absolute paths of a certificate with its chain, and of its key. */
  readonly certificate: { readonly cert: string; readonly key: string }
  readonly bodyMb: number
  /** How long a request may run. */
  readonly seconds: number
}

/**
 * Renders an application, over TLS alone. Its paths are not logged: one of them signs somebody in. A port of
 * its own makes it reachable under every name and address of the host, whichever websites there are.
 */
export function renderApplication(
  application: Application,
  { listenTls }: Pick<NginxLayout, 'listenTls'>,
): string {
  const { port, alias, root, hidden, certificate, bodyMb } = application
  if (!/^[a-z0-9]{1,64}$/.test(alias)) throw new Error(`not an alias: ${JSON.stringify(alias)}`)
  return [
    'server {',
    ...listenTls.map((address) => `    listen ${quoted(address.replace(/443$/, String(port)))} ssl http2;`),
    '    server_name _;',
    '    server_tokens off;',
    '    access_log off;',
    `    ssl_certificate ${quoted(certificate.cert)};`,
    `    ssl_certificate_key ${quoted(certificate.key)};`,
    '    ssl_protocols TLSv1.2 TLSv1.3;',
    `    client_max_body_size ${bodyMb}m;`,
    '    error_page 497 =301 https://$http_host$request_uri;',
    '    location / {',
    '        return 404;',
    '    }',
    `    location = /${alias} {`,
    `        return 301 /${alias}/;`,
    '    }',
    `    location ^~ /${alias}/ {`,
    `        alias ${quoted(`${root}/`)};`,
    '        index index.php;',
    '        add_header Referrer-Policy no-referrer;',
    `        location ~ "^/${alias}/(?:${hidden.map(literal).join('|')})(?:/|$)" {`,
    '            return 404;',
    '        }',
    '        location ~ "/\\." {',
    '            return 404;',
    '        }',
    ...scripts(application),
    '    }',
    '}',
    '',
  ].join('\n')
}

/** PHP runs only where the whole path is that of a script: what follows a script in a path is none. */
function scripts({ alias, root, socket, seconds }: Application): string[] {
  const values: Readonly<Record<string, string>> = {
    ...parameters,
    SCRIPT_FILENAME: quoted(`${root}/`) + '$hostreeve_script',
    DOCUMENT_ROOT: quoted(root),
  }
  return [
    `        location ~ "^/${alias}/(?<hostreeve_script>.+\\.php)$" {`,
    ...Object.entries(values).map(([name, value]) => `            fastcgi_param ${name} ${value};`),
    `            fastcgi_read_timeout ${seconds + 10}s;`, // PHP reports its own limit before nginx gives up
    ...responseBuffers('fastcgi').map((line) => `    ${line}`),
    `            fastcgi_pass ${quoted(`unix:${socket}`)};`,
    '        }',
  ]
}
