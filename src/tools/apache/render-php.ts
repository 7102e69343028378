import { literal } from '../nginx/quote.ts'
import type { NginxSite } from '../nginx/site.ts'
import { count, quoted } from './quote.ts'
import { hiddenFiles } from './render-shared.ts'

/** Renders a PHP site. A path that is no file is answered by `/index.php`, after its password was asked for. */
export function phpSite(site: NginxSite): string[] {
  const { php } = site
  if (php === undefined) throw new Error(`the PHP site ${site.domain} has no pool`)
  return [
    `    DocumentRoot ${quoted(site.root)}`,
    '    DirectoryIndex index.php index.html index.htm',
    '    FallbackResource "/index.php"',
    ...bodyLimit(php.bodyMb),
    ...hiddenFiles,
    ...noExecution(php.dataFolders),
    // never the source of a script
    `    RedirectMatch 404 ${quoted('\\.(?!php(?:/|$))(?i:php[0-9]?|phtml|phar|phps)(?:/|$)')}`,
    ...executed(php.socket, php.seconds),
  ]
}

/** Has PHP-FPM run the scripts; PHP reports its own limit before Apache gives up. */
export const executed = (socket: string, seconds: number): string[] => [
  `    ProxyTimeout ${count(seconds + 10)}`,
  // the header `Proxy` of a request would otherwise become HTTP_PROXY, which HTTP clients of scripts obey
  '    RequestHeader unset Proxy early',
  '    <Directory "/">',
  '        CGIPassAuth On',
  '    </Directory>',
  '    <FilesMatch "\\\\.php$">',
  `        SetHandler ${quoted(`proxy:unix:${socket}|fcgi://localhost`)}`,
  '    </FilesMatch>',
]

const firstPass = '    RewriteCond "%{ENV:REDIRECT_STATUS}" "^$"'

/**
 * Renders the largest body of a request. Apache does not count the body of a request that it forwards, and stores one without a
 * length for PHP: such a request is refused. Without `LimitRequestBody`, a gigabyte would be the most.
 */
export function bodyLimit(megabytes: number): string[] {
  const bytes = count(megabytes * 1024 * 1024)
  return [
    `    LimitRequestBody ${bytes}`,
    '    RewriteEngine On',
    firstPass,
    `    RewriteCond expr "%{HTTP:Content-Length} -gt ${bytes}"`,
    '    RewriteRule "^" "-" [R=413,L]',
    firstPass,
    '    RewriteCond "%{HTTP:Transfer-Encoding}" "!^$"',
    '    RewriteRule "^" "-" [R=411,L]',
  ]
}

/** PHP below these folders is neither executed nor shown. */
function noExecution(folders: readonly string[]): string[] {
  if (folders.length === 0) return []
  const path = `^/(?:${folders.map(literal).join('|')})/.*\\.(?i:php[0-9]?|phtml|phar|phps)(?:/|$)`
  return [`    RedirectMatch 404 ${quoted(path)}`]
}
