import { logDirectory } from '../nginx/layout.ts'
import { hostWord } from '../nginx/quote.ts'
import { certificatePath, challengePath, probeAnswer, probeName, type SiteTls } from '../nginx/render-tls.ts'
import type { NginxSite } from '../nginx/site.ts'
import type { ApacheLayout } from './layout.ts'
import { aliasWord, quoted } from './quote.ts'

/** The name of the format of access logs: that of nginx's, with the time in milliseconds, as Apache has no fractions of seconds. */
export const logFormat = 'hostreeve'

/** One virtual host: all of a site on one port under some of its names. */
interface VirtualHost {
  readonly isTls: boolean
  /** Further names than the domain. */
  readonly aliases: readonly string[]
}

/** Renders a virtual host with its names, logs and certificate, and the answers to challenges, which neither a password nor a redirect guards. */
export function virtualHost(
  site: NginxSite,
  { isTls, aliases }: VirtualHost,
  layout: ApacheLayout,
  body: readonly string[],
): string[] {
  const logs = logDirectory(layout.shared, site.domain)
  return [
    `<VirtualHost ${isTls ? layout.listenTls : layout.listen}>`,
    `    ServerName ${hostWord(site.domain)}`,
    ...(aliases.length === 0 ? [] : [`    ServerAlias ${aliases.map(aliasWord).join(' ')}`]),
    '    UseCanonicalName Off',
    '    ServerSignature Off',
    `    CustomLog ${quoted(`${logs}/access.log`)} ${logFormat}`,
    `    ErrorLog ${quoted(`${logs}/error.log`)}`,
    ...(isTls ? certified(site, layout) : []),
    ...fileAccess,
    '    RewriteEngine On',
    ...challenges(site, layout),
    ...body,
    ...openChallenges,
    '</VirtualHost>',
  ]
}

/** The lines that protect TLS connections of any virtual host. */
export const tlsLines = (certificate: string, key = certificate): string[] => [
  '    Protocols h2 http/1.1',
  '    SSLEngine on',
  '    SSLProtocol -all +TLSv1.2 +TLSv1.3',
  `    SSLCertificateFile ${quoted(certificate)}`,
  `    SSLCertificateKeyFile ${quoted(key)}`,
]

function certified(site: SiteTls, { shared }: ApacheLayout): string[] {
  if (site.certificate === null) throw new Error(`${site.domain} has no certificate`)
  // over http, a browser must ignore the header (RFC 6797, section 7.2)
  const hsts = '    Header always set Strict-Transport-Security "max-age=31536000"'
  return [
    ...tlsLines(certificatePath(shared, site.certificate)),
    ...(site.redirectsToHttps && site.hasHsts ? [hsts] : []),
  ]
}

/**
 * Every component of a path is checked, including the document root: its owner could replace it with a symlink to
 * another owner's site. Handlers of the administrator do not run what tenants upload; a handler that was added by an extension
 * stays, so that PHP within Apache, which would run it as the web server, is switched off.
 */
export const fileAccess = [
  '    <Directory "/">',
  '        Options SymLinksIfOwnerMatch',
  '        AllowOverride None',
  '        Require all granted',
  '    </Directory>',
  '    <FilesMatch ".">',
  '        SetHandler None',
  '    </FilesMatch>',
  ...['php_module', 'php7_module'].flatMap((name) => [
    `    <IfModule ${name}>`,
    '        php_admin_flag engine off',
    '    </IfModule>',
  ]),
]

/** Hidden files never leave the server. */
export const hiddenFiles = ['    RedirectMatch 404 "/\\\\.(?!well-known/)"']

/** Matches every path but those of challenges. Rewrites and other directives read a backslash differently: it has none. */
export const allButChallenges = quoted(`^/(?!${challengePath.slice(1).replaceAll('.', '[.]')}/)`)

/** Apache has no constant answer of status 200: what names the site is the text of an error. */
function challenges({ id }: SiteTls, { shared }: ApacheLayout): string[] {
  const probe = quoted(`${challengePath}/${probeName}`)
  return [
    answers(shared),
    `    Redirect 410 ${probe}`,
    `    <Location ${probe}>`,
    `        ErrorDocument 410 ${quoted(probeAnswer(id))}`,
    '    </Location>',
  ]
}

/** Leads the challenges to the folder of their answers. */
export const answers = ({ challengesDirectory }: ApacheLayout['shared']): string =>
  `    Alias ${quoted(`${challengePath}/`)} ${quoted(`${challengesDirectory}/`)}`

/** Comes last, so that no password of a folder holds for it. */
export const openChallenges = [
  `    <Location ${quoted(`${challengePath}/`)}>`,
  '        AuthType None',
  '        Require all granted',
  '    </Location>',
]
