import type { NginxSite } from '../nginx/site.ts'
import { lacks } from './lacks.ts'
import type { ApacheLayout } from './layout.ts'
import { quoted } from './quote.ts'
import { siteOptions, unavailable } from './render-options.ts'
import { phpSite } from './render-php.ts'
import { proxySite } from './render-proxy.ts'
import { allButChallenges, hiddenFiles, virtualHost } from './render-shared.ts'

/** Defined while the files of sites are included for the second time, for their wildcards. */
export const wildcards = 'HOSTREEVE_WILDCARDS'

const renderers: Readonly<Record<NginxSite['type'], (site: NginxSite) => string[]>> = {
  static: staticSite,
  php: phpSite,
  proxy: proxySite,
}

/**
 * Renders the complete file of one site. The same site always yields the same bytes. Apache takes the first virtual host that
 * matches, also by a wildcard: those with wildcards therefore come after the exact names of all sites.
 */
export function renderSite(site: NginxSite, layout: ApacheLayout): string {
  const [lacking] = lacks(site)
  if (lacking !== undefined) throw new Error(`${site.domain}: ${lacking}`)
  const exact = site.aliases.filter((name) => !name.startsWith('*.'))
  const wild = site.aliases.filter((name) => name.startsWith('*.'))
  return [
    `# Site ${site.id}. Written by Hostreeve: changes by hand are noticed, and kept until somebody asks to replace them.`,
    `<IfDefine !${wildcards}>`,
    ...hostsOf(site, exact, layout),
    '</IfDefine>',
    ...(wild.length === 0 ? [] : [`<IfDefine ${wildcards}>`, ...hostsOf(site, wild, layout), '</IfDefine>']),
    '',
  ].join('\n')
}

function hostsOf(site: NginxSite, aliases: readonly string[], layout: ApacheLayout): string[] {
  const hasTls = site.certificate !== null
  const body = bodyOf(site)
  const plain = hasTls && site.redirectsToHttps ? toHttps : body
  return [
    ...virtualHost(site, { isTls: false, aliases }, layout, plain),
    ...(hasTls ? virtualHost(site, { isTls: true, aliases }, layout, body) : []),
  ]
}

/**
 * The name of the server is the one that was asked for, and the path is as it was sent: a decoded one could not be encoded again.
 * Apache appends the query, and answers 403 where a group brings a question mark.
 */
const toHttps = [
  '    AllowEncodedSlashes NoDecode',
  '    RewriteCond "%{THE_REQUEST}" "^[^ ]+ (?:[a-z]+://[^/ ]*)?(/[^ ?]*)"',
  `    RewriteRule ${allButChallenges} "https://%{SERVER_NAME}%1" [R=301,NE,L]`,
]

function bodyOf(site: NginxSite): string[] {
  if (site.isSuspended) return unavailable('This website is suspended.')
  if (site.options?.isInMaintenance === true)
    return ['    Header always set Retry-After 600', ...unavailable('This website is under maintenance.')]
  return [...siteOptions(site), ...renderers[site.type](site)]
}

/** Apache would answer a form that is sent to a file with the file. */
function staticSite({ root }: NginxSite): string[] {
  return [
    `    DocumentRoot ${quoted(root)}`,
    '    DirectoryIndex index.html index.htm',
    '    RewriteCond "%{REQUEST_METHOD}" "!^(?:GET|HEAD)$"',
    '    RewriteRule "^" "-" [R=405,L]',
    ...hiddenFiles,
  ]
}
