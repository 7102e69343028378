import { literal, quoted } from './quote.ts'
import { cacheConditions, cacheOfLocation } from './render-cache.ts'
import { documentRoot, hiddenFiles } from './render-static.ts'
import { responseBuffers } from './response-buffers.ts'
import type { NginxSite } from './site.ts'

/** The variables of the FastCGI protocol and of CGI (RFC 3875) that PHP needs. */
export const parameters: Readonly<Record<string, string>> = {
  SCRIPT_FILENAME: '$document_root$fastcgi_script_name',
  SCRIPT_NAME: '$fastcgi_script_name',
  PATH_INFO: '$hostreeve_path_info',
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
export function phpSite(site: NginxSite): string[] {
  const { php } = site
  if (php === undefined) throw new Error(`the PHP site ${site.domain} has no pool`)
  const seconds = php.seconds + 10 // PHP reports its own limit before nginx gives up
  return [
    ...documentRoot(site),
    '    index index.php index.html index.htm;',
    `    client_max_body_size ${php.bodyMb}m;`,
    ...hiddenFiles,
    ...noExecution(php.dataFolders),
    ...(php.cache === undefined ? [] : cacheConditions(php.cache)),
    '    location ~ "\\.php(?:/|$)" {',
    '        fastcgi_split_path_info "^(.+?\\.php)(/.*)?$";',
    '        set $hostreeve_path_info $fastcgi_path_info; # try_files clears it',
    '        try_files $fastcgi_script_name =404;',
    ...Object.entries(parameters).map(([name, value]) => `        fastcgi_param ${name} ${value};`),
    `        fastcgi_read_timeout ${seconds}s;`,
    ...responseBuffers('fastcgi'),
    ...(php.cache === undefined ? [] : cacheOfLocation(site.id, php.cache)),
    `        fastcgi_pass ${quoted(`unix:${php.socket}`)};`,
    '    }',
    '    location ~* "\\.(?:php[0-9]?|phtml|phar|phps)(?:/|$)" {',
    '        return 404; # never the source of a script',
    '    }',
    '    location / {',
    '        try_files $uri $uri/ /index.php?$query_string;',
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
