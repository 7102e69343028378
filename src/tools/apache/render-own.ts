import { missingTypes } from '../nginx/media-types.ts'
import type { ApacheLayout } from './layout.ts'
import { quoted } from './quote.ts'
import { logFormat, tlsLines } from './render-shared.ts'
import { wildcards } from './render-site.ts'

/** The name under which Apache reports its generation to this host; never a name of a site. */
export const generationHost = 'generation.hostreeve.invalid'
export const generationHeader = 'Hostreeve-Generation'

/** The modules that files of sites need, each after those that it uses. */
const modules = [
  'authz_core',
  'authz_user',
  'authn_core',
  'authn_file',
  'auth_basic',
  'alias',
  'autoindex',
  'dir',
  'env',
  'headers',
  'mime',
  'rewrite',
  'proxy',
  'proxy_http',
  'proxy_fcgi',
  'http2',
] as const

/**
 * Renders the panel's file among the sites: the modules that the administrator's files do not load, the answers to unknown names,
 * and the files of sites, twice, as wildcards come after all other names.
 */
export function renderOwnConfig(layout: ApacheLayout): string {
  const sites = `IncludeOptional ${quoted(`${layout.sitesDirectory}/*.conf`)}`
  return [
    '# Written by Hostreeve.',
    ...modules.flatMap((name) => [
      `<IfModule !${name}_module>`,
      `    ${loading(layout, name)}`,
      ...(name === 'mime' ? ['    TypesConfig /etc/mime.types'] : []),
      '</IfModule>',
    ]),
    ...tlsModule(layout),
    'ServerTokens Prod',
    'TraceEnable Off',
    ...missingTypes('').map(([extension, type]) => `AddType ${quoted(type)} .${extension}`),
    `LogFormat "%a - %u %t \\"%r\\" %>s %B \\"%{Referer}i\\" \\"%{User-Agent}i\\" %{ms}Tms" ${logFormat}`,
    ...defaultHosts(layout),
    ...generationLines(layout),
    sites,
    `Define ${wildcards}`,
    sites,
    `UnDefine ${wildcards}`,
    '',
  ].join('\n')
}

const loading = ({ modulesDirectory }: ApacheLayout, name: string): string =>
  `LoadModule ${name}_module ${quoted(`${modulesDirectory}/mod_${name}.so`)}`

/** Debian's ports.conf was read before: it listens for TLS only where the module was loaded by then. */
function tlsModule(layout: ApacheLayout): string[] {
  return [
    '<IfModule !socache_shmcb_module>',
    `    ${loading(layout, 'socache_shmcb')}`,
    '</IfModule>',
    '<IfModule !ssl_module>',
    `    ${loading(layout, 'ssl')}`,
    `    Listen ${addressOf(layout.listenTls)}`,
    `    SSLSessionCache ${quoted(`shmcb:${layout.runDirectory}/hostreeve-tls(512000)`)}`,
    '</IfModule>',
  ]
}

/** `Listen` names a port alone where a virtual host has any address. */
const addressOf = (listen: string): string => listen.replace(/^\*:/, '')

/** Names that belong to no site would otherwise be answered by the first one. */
function defaultHosts(layout: ApacheLayout): string[] {
  const body = [
    '    ServerName default.hostreeve.invalid',
    '    ServerSignature Off',
    `    CustomLog "/dev/null" ${logFormat}`,
    '    ErrorDocument 404 "There is no such website here."',
    '    Redirect 404 "/"',
  ]
  return [
    `<VirtualHost ${layout.listen}>`,
    ...body,
    '</VirtualHost>',
    `<VirtualHost ${layout.listenTls}>`,
    ...body,
    ...tlsLines(layout.defaultCertificatePath),
    '</VirtualHost>',
  ]
}

function generationLines(layout: ApacheLayout): string[] {
  return [
    `<VirtualHost ${layout.listen}>`,
    `    ServerName ${generationHost}`,
    '    ServerSignature Off',
    `    CustomLog "/dev/null" ${logFormat}`,
    '    Redirect 404 "/"',
    `    Include ${quoted(layout.generationPath)}`,
    '</VirtualHost>',
  ]
}

/** Renders the file from which Apache learns the generation that it serves. */
export const renderGeneration = (generation: string): string =>
  `Header always set ${generationHeader} ${quoted(generation)}\n`

/** Parses the generation from a file rendered by `renderGeneration`. */
export const parseGeneration = (content: string): string | undefined =>
  /^Header always set \S+ ([0-9a-z]+)$/m.exec(content)?.[1]
