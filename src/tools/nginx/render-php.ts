import { literal, quoted } from './quote.ts'
import { cacheConditions, cacheOfLocation, filesFirst, keptPages } from './render-cache.ts'
import { documentRoot, hiddenFiles } from './render-static.ts'
import { responseBuffers } from './response-buffers.ts'
import type { SiteLayout } from './render-tls.ts'
import type { NginxSite, SiteCache, SitePhp } from './site.ts'

/** The variables of the FastCGI protocol and of CGI (RFC 3875) that PHP needs. */
export const parameters: Readonly<Record<string, string>> = {
  SCRIPT_FILENAME: '$document_root$fastcgi_script_name',
  SCRIPT_NAME: '$fastcgi_script_name',
  PATH_INFO: '""',
  DOCUMENT_ROOT: '$document_root',
  DOCUMENT_URI: '$document_uri',
  REQUEST_URI: '$request_uri',
  REQUEST_METHOD: '$request_method',
  REQUEST_SCHEME: '$scheme',
  HTTPS: '$https if_not_empty',
  QUERY_STRING: '$query_string',
  CONTENT_TYPE: '$content_type',
  CONTENT_LENGTH: '$content_length',
  SERVER_PROTOCOL: '$server_protocol',
  SERVER_NAME: '$host',
  SERVER_ADDR: '$server_addr',
  SERVER_PORT: '$server_port',
  SERVER_SOFTWARE: 'nginx',
  GATEWAY_INTERFACE: 'CGI/1.1',
  REMOTE_ADDR: '$remote_addr',
  REMOTE_PORT: '$remote_port',
  REMOTE_USER: '$remote_user',
  REDIRECT_STATUS: '200',
  // the header `Proxy` of a request would otherwise become HTTP_PROXY, which HTTP clients of scripts obey
  HTTP_PROXY: '""',
}

/** Renders a PHP site. A path that is no file is answered by `/index.php`, as WordPress, Laravel and Symfony expect. */
export function phpSite(site: NginxSite, layout: SiteLayout): string[] {
  const php = phpOf(site)
  return [
    ...documentRoot(site, layout),
    '    index index.php index.html index.htm;',
    `    client_max_body_size ${php.bodyMb}m;`,
    ...(php.cache === undefined ? frontPage(site) : cachedPages(site, php.cache, layout)),
    ...hiddenFiles,
    ...noExecution(php.dataFolders),
    '    location ~ "\\.php(?:/|$)" {',
    '        fastcgi_split_path_info "^(.+?\\.php)(/.*)?$";',
    '        set $hostreeve_path_info $fastcgi_path_info; # try_files clears it',
    '        try_files $fastcgi_script_name =404;',
    ...runs(site, { ...parameters, PATH_INFO: '$hostreeve_path_info' }),
    '    }',
    '    location ~* "\\.(?:php[0-9]?|phtml|phar|phps)(?:/|$)" {',
    '        return 404; # never the source of a script',
    '    }',
    '    location / {',
    `        ${filesFirst}`,
    '    }',
  ]
}

function phpOf({ domain, php }: NginxSite): SitePhp {
  if (php === undefined) throw new Error(`the PHP site ${domain} has no pool`)
  return php
}

const cachedPages = (site: NginxSite, cache: SiteCache, layout: SiteLayout): string[] => [
  ...cacheConditions(site.id, cache),
  ...keptPages(site, layout),
]

/** Runs the script in a location. */
function runs(site: NginxSite, values: Readonly<Record<string, string>>): string[] {
  const php = phpOf(site)
  return [
    ...Object.entries(values).map(([name, value]) => `        fastcgi_param ${name} ${value};`),
    `        fastcgi_read_timeout ${php.seconds + 10}s;`, // PHP reports its own limit before nginx gives up
    ...responseBuffers('fastcgi'),
    ...(php.cache === undefined ? [] : cacheOfLocation(site.id, php.cache)),
    `        fastcgi_pass ${quoted(`unix:${php.socket}`)};`,
  ]
}

/**
 * The commonest address takes one lookup instead of four: of the path, of the folder, of its index and of the script. What is chosen by the
 * path of the script, as a password or a redirect, would not be seen here.
 */
function frontPage({ options, ...site }: NginxSite): string[] {
  if (options !== undefined && options.protectedFolders.length > 0) return []
  if (options?.redirects.some(({ from }) => from === '/' || from === '/index.php')) return []
  return [
    '    location = / {',
    '        try_files /index.php @hostreeve_index;',
    ...runs(site, parameters),
    '    }',
    '    location @hostreeve_index {',
    '    }',
  ]
}

/** PHP below these folders is neither executed nor shown. */
function noExecution(folders: readonly string[]): string[] {
  if (folders.length === 0) return []
  return [
    `    location ~ "^/(?:${folders.map(literal).join('|')})/.*\\.(?i:php[0-9]?|phtml|phar|phps)(?:/|$)" {`,
    '        return 404;',
    '    }',
  ]
}
