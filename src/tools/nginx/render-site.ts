import { hostWord, quoted } from './quote.ts'
import type { NginxLayout } from './layout.ts'

/** What nginx is told about one site. */
export interface NginxSite {
  readonly id: number
  /** Lower case, in ASCII form. */
  readonly domain: string
  readonly aliases: readonly string[]
  readonly type: 'static'
  /** Absolute path of what is served. */
  readonly root: string
  readonly isSuspended: boolean
}

/** The file of one site, whole. The same site gives the same bytes. */
export function renderSite(site: NginxSite, layout: Pick<NginxLayout, 'listen' | 'logsDirectory'>): string {
  const logs = `${layout.logsDirectory}/${hostWord(site.domain)}`
  return [
    `# Site ${site.id}. Written by Hostreeve: changes by hand are noticed, and kept until somebody asks to replace them.`,
    'server {',
    ...layout.listen.map((address) => `    listen ${quoted(address)};`),
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

/** Every part of the path is checked, the document root too: its owner could put a link to another owner's site in its place. */
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
