import { quoted } from './quote.ts'
import type { NginxLayout } from './layout.ts'
import type { MediaType } from './media-types.ts'

/**
 * The directives that may occur only once in the whole configuration; omitted if the administrator's files
 * already contain them.
 */
export interface OwnConfigParts {
  /** Answers names that belong to no site. */
  readonly hasDefaultServer: boolean
  /** Refuses TLS connections for names without a certificate, which would get that of another website. */
  readonly hasDefaultTls: boolean
  /** Makes the server name hash large enough for long names and for many names. */
  readonly hasNamesHash: boolean
  /** The media types that nginx's own list lacks. */
  readonly mediaTypes: readonly MediaType[]
}

/** The name of the format of access logs: the combined one, with the time that a request took. */
export const logFormat = 'hostreeve'

/**
 * Renders the panel's file in conf.d: the include of the sites, the answer to unknown names, and the socket
 * on which nginx reports its generation.
 */
export function renderOwnConfig(layout: NginxLayout, parts: OwnConfigParts): string {
  return [
    '# Written by Hostreeve.',
    ...(parts.hasNamesHash
      ? ['server_names_hash_bucket_size 512;', 'server_names_hash_max_size 32768;']
      : []),
    ...types(parts.mediaTypes),
    `log_format ${logFormat} '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent '`,
    `    '"$http_referer" "$http_user_agent" $request_time';`,
    `include ${quoted(`${layout.sitesDirectory}/*.conf`)};`,
    'server {',
    `    listen ${quoted(`unix:${layout.socketPath}`)};`,
    '    server_name generation;',
    '    access_log off;',
    `    include ${quoted(layout.generationPath)};`,
    '}',
    ...(parts.hasDefaultServer ? defaultServer(layout) : []),
    ...(parts.hasDefaultTls ? defaultTls(layout) : []),
    '',
  ].join('\n')
}

const types = (added: readonly MediaType[]): readonly string[] =>
  added.length === 0 ? [] : ['types {', ...added.map(([extension, type]) => `    ${type} ${extension};`), '}']

/** Renders the file from which nginx learns the generation that it serves. */
export function renderGeneration(generation: string): string {
  return `location = /generation { default_type text/plain; return 200 ${quoted(generation)}; }\n`
}

/** Parses the generation from a file rendered by `renderGeneration`. */
export function parseGeneration(content: string): string | undefined {
  return /return 200 ([0-9a-z]+);/.exec(content)?.[1]
}

/** The master of Apache, if it serves the sites instead: it opens its logs anew with each reload. */
const apachePidPath = '/run/apache2/apache2.pid'

/**
 * Renders the log rotation for all sites. Worker processes reopen their logs themselves, so everyone may
 * traverse the directories.
 */
export function renderLogrotate(layout: Pick<NginxLayout, 'logsDirectory' | 'pidPath'>): string {
  return [
    `${layout.logsDirectory}/*/*.log {`,
    ...[
      'daily',
      'rotate 14',
      'missingok',
      'notifempty',
      'compress',
      'delaycompress',
      'create',
      'sharedscripts',
      'postrotate',
    ].map((line) => `    ${line}`),
    `        [ ! -f ${layout.pidPath} ] || kill -USR1 "$(cat ${layout.pidPath})"`,
    `        [ ! -f ${apachePidPath} ] || apache2ctl graceful > /dev/null 2>&1`,
    '    endscript',
    '}',
    '',
  ].join('\n')
}

/** nginx does not start if its socket was left behind by a killed nginx. */
export function renderUnitDropIn(layout: NginxLayout): string {
  return `# Written by Hostreeve.\n[Service]\nExecStartPre=-/bin/rm -f ${layout.socketPath}\n`
}

function defaultServer(layout: NginxLayout): string[] {
  return [
    'server {',
    ...layout.listen.map((address) => `    listen ${quoted(address)} default_server;`),
    '    server_name _;',
    '    server_tokens off;',
    '    access_log off;',
    '    default_type text/plain;',
    '    location / {',
    '        return 404 "There is no such website here.\\n";',
    '    }',
    '}',
  ]
}

function defaultTls(layout: NginxLayout): string[] {
  return [
    'server {',
    ...layout.listenTls.map((address) => `    listen ${quoted(address)} ssl default_server;`),
    '    server_name _;',
    '    access_log off;',
    '    ssl_reject_handshake on;',
    '}',
  ]
}
