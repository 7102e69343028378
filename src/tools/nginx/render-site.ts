import { hostWord, quoted } from './quote.ts'
import { logDirectory } from './layout.ts'
import { redirecting, type SiteLayout, type SiteTls, tlsLines } from './render-tls.ts'

/** The configuration of one site in nginx. */
export interface NginxSite extends SiteTls {
  readonly id: number
  /** Lower case, in ASCII form. */
  readonly domain: string
  readonly aliases: readonly string[]
  readonly type: 'static'
  /** Absolute path of the document root. */
  readonly root: string
  readonly isSuspended: boolean
}

/** Renders the complete file of one site. The same site always yields the same bytes. */
export function renderSite(site: NginxSite, layout: SiteLayout): string {
  const logs = logDirectory(layout, site.domain)
  return [
    `# Site ${site.id}. Written by Hostreeve: changes by hand are noticed, and kept until somebody asks to replace them.`,
    ...redirecting(site, layout),
    'server {',
    ...tlsLines(site, layout),
    `    server_name ${[site.domain, ...site.aliases].map(hostWord).join(' ')};`,
    '    server_tokens off;',
    `    access_log ${quoted(`${logs}/access.log`)} combined;`,
    `    error_log ${quoted(`${logs}/error.log`)};`,
    ...(site.isSuspended ? suspended : staticSite(site)),
    '}',
    '',
  ].join('\n')
}

const suspended = [
  '    default_type text/plain;',
  '    location / {',
  '        return 503 "This website is suspended.\\n";',
  '    }',
]

/**
 * Every component of the path is checked, including the document root: its owner could replace it with a
 * symlink to another owner's site.
 */
function staticSite(site: NginxSite): string[] {
  return [
    `    root ${quoted(site.root)};`,
    '    index index.html index.htm;',
    '    disable_symlinks if_not_owner;',
    '    location ~ "/\\.(?!well-known/)" {',
    '        return 404;',
    '    }',
    '    location / {',
    '        try_files $uri $uri/ =404;',
    '    }',
  ]
}
