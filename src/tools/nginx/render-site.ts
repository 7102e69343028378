import { accessLine } from './access/render-access.ts'
import { hostWord, quoted, serverName } from './quote.ts'
import { logDirectory } from './layout.ts'
import { cacheZone } from './render-cache.ts'
import { phpSite } from './render-php.ts'
import { proxySite } from './render-proxy.ts'
import { logFormat } from './render-own.ts'
import { signInZone, siteOptions, unavailable } from './render-options.ts'
import { redirecting, type SiteLayout, tlsLines } from './render-tls.ts'
import { staticSite } from './render-static.ts'
import type { NginxSite } from './site.ts'

const renderers: Readonly<Record<NginxSite['type'], (site: NginxSite, layout: SiteLayout) => string[]>> = {
  static: staticSite,
  php: phpSite,
  proxy: proxySite,
}

/** Renders the complete file of one site. The same site always yields the same bytes. */
export function renderSite(site: NginxSite, layout: SiteLayout): string {
  const logs = logDirectory(layout, site.domain)
  return [
    `# Site ${site.id}. Written by Hostreeve: changes by hand are noticed, and kept until somebody asks to replace them.`,
    ...(site.isSuspended || site.options?.isInMaintenance === true ? [] : signInZone(site)),
    ...cacheZone(site, layout),
    ...redirecting(site, layout),
    'server {',
    ...tlsLines(site, layout),
    `    server_name ${[hostWord(site.domain), ...site.aliases.map(serverName)].join(' ')};`,
    '    server_tokens off;',
    `    access_log ${quoted(`${logs}/access.log`)} ${logFormat};`,
    `    error_log ${quoted(`${logs}/error.log`)};`,
    ...(site.accessOwner === undefined ? [] : [accessLine(site.accessOwner, site.id)]),
    ...bodyOf(site, layout),
    '}',
    '',
  ].join('\n')
}

function bodyOf(site: NginxSite, layout: SiteLayout): string[] {
  if (site.isSuspended) return unavailable('This website is suspended.')
  if (site.options?.isInMaintenance === true)
    return ['    add_header Retry-After 600 always;', ...unavailable('This website is under maintenance.')]
  return [...siteOptions(site), ...renderers[site.type](site, layout)]
}
