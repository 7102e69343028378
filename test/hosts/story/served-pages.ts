/** A request to a website, and what of its answer is compared besides the status and the location. */
export interface Asked {
  readonly domain: string
  readonly path?: string
  readonly method?: string
  readonly isTls?: boolean
  /** Of the user eve. */
  readonly password?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Headers, and `body` where it counts although the status is an error. */
  readonly shows?: readonly string[]
}

/** Shows what it was asked for. */
export const upstream = `const server = require('node:http').createServer((request, response) => {
  if (request.url === '/teapot') return response.writeHead(418).end('of the application')
  if (request.url === '/moved') return response.writeHead(302, { location: 'http://127.0.0.1:3000/here' }).end()
  let length = 0
  request.on('data', (part) => { length += part.length })
  request.on('end', () => {
    const shown = Object.entries(request.headers).filter(([name]) => /^(?:host|x-.*|forwarded|authorization|cookie)$/.test(name))
    response.setHeader('set-cookie', ['a=1', 'b=2; path=/'])
    response.end(['app', request.method, request.url, length, JSON.stringify(Object.fromEntries(shown.sort()))].join(' '))
  })
})
server.listen(3000, '127.0.0.1')`

const variables = `SCRIPT_FILENAME SCRIPT_NAME PATH_INFO PHP_SELF DOCUMENT_ROOT REQUEST_URI REQUEST_METHOD REQUEST_SCHEME HTTPS
  QUERY_STRING CONTENT_TYPE CONTENT_LENGTH SERVER_NAME SERVER_ADDR SERVER_PORT GATEWAY_INTERFACE REMOTE_ADDR REMOTE_USER
  PHP_AUTH_USER PHP_AUTH_PW HTTP_PROXY HTTP_HOST HTTP_COOKIE HTTP_X_ANY`
const script = `<?php
$found = ['body' => file_get_contents('php://input')];
foreach (preg_split('/\\s+/', '${variables}') as $name) $found[$name] = ($_SERVER[$name] ?? '') ?: '';
echo basename(__FILE__), ' ', json_encode($found);`

/** The files of websites, below `sites`. */
export const contents: Readonly<Record<string, string>> = {
  'shop.example.com/public/index.html': 'shop',
  'shop.example.com/public/not found.html': 'page of 404',
  'shop.example.com/public/.env': 'secret',
  'shop.example.com/public/sub/index.html': 'sub',
  'shop.example.com/public/private/index.html': 'private',
  'shop.example.com/public/empty/a.txt': 'text',
  'shop.example.com/public/privateer/index.html': 'privateer',
  'php.example.com/public/index.php': script,
  'php.example.com/public/server.php': script,
  'php.example.com/public/teapot.php': "<?php http_response_code(418); echo 'of the script';",
  'php.example.com/public/large.html': 'page of 413',
  'php.example.com/public/source.phtml': "<?php echo 'source';",
  'php.example.com/public/a.txt': 'text',
  'php.example.com/public/admin/index.php': script,
  'php.example.com/public/folder/index.html': 'folder',
  'php.example.com/public/uploads/evil.php': "<?php echo 'executed';",
  'down.example.com/public/502.html': 'page of 502',
  'safe.example.com/public/index.html': 'safe',
}

/** What is asked for all the time. */
export const pages: readonly Asked[] = [
  { domain: 'shop.example.com' },
  { domain: 'www.shop.example.com', path: '/sub/' },
  { domain: 'any.shop.example.com' },
  { domain: 'shop.example.com', path: '/sub' },
  { domain: 'shop.example.com', path: '/old' },
  { domain: 'shop.example.com', path: '/missing' },
  { domain: 'shop.example.com', path: '/.env' },
  { domain: 'shop.example.com', path: '/private/' },
  { domain: 'shop.example.com', path: '/private/', password: 'open it' },
  { domain: 'php.example.com', path: '/a/post?x=1' },
  { domain: 'php.example.com', path: '/a.txt' },
  { domain: 'php.example.com', path: '/uploads/evil.php' },
  { domain: 'app.example.com', path: '/a%2Fb?c=1' },
  { domain: 'safe.example.com' },
  { domain: 'safe.example.com', path: '/a?b=1' },
  { domain: 'safe.example.com', isTls: true },
  { domain: 'asleep.example.com' },
]

const shop = (path: string, further: Partial<Asked> = {}): Asked => ({
  domain: 'shop.example.com',
  path,
  ...further,
})
const php = (path: string, further: Partial<Asked> = {}): Asked => ({
  domain: 'php.example.com',
  path,
  ...further,
})
const app = (path: string, further: Partial<Asked> = {}): Asked => ({
  domain: 'app.example.com',
  path,
  ...further,
})
const password = 'open it'
const posted = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
/** The length alone is refused, before a byte of the body is sent. */
const tooLarge = { method: 'POST', headers: { 'content-length': '1048577' } }

/** Each feature of a website at its borders. */
export const features: readonly Asked[] = [
  shop('/missing', { shows: ['body', 'content-type'] }),
  shop('/index.html', { shows: ['content-type'] }),
  shop('/', { method: 'HEAD' }),
  shop('/', { method: 'POST', body: 'a=1' }),
  shop('/empty/'),
  shop('/.git/config'),
  shop('/.well-known/missing'),
  shop('/sub/../.env'),
  shop('//old'),
  shop('/%6fld'),
  shop('/old?y=2'),
  shop('/old/'),
  shop('/a%20b%20(1)'),
  shop('/private', { shows: ['www-authenticate'] }),
  shop('/private/missing'),
  shop('/private/', { password: 'wrong', shows: ['www-authenticate'] }),
  shop('/privateer/'),
  shop('//private/index.html'),
  shop('/sub/../private/index.html'),
  shop('/%70rivate/index.html'),
  php('/', { headers: { cookie: 'a=1; b=2', 'x-any': 'thing', proxy: 'http://203.0.113.1' } }),
  php('/', { isTls: true }),
  php('/server.php?a=b%20c&d'),
  php('/server.php/path/info?x=1'),
  php('/server.php', { ...posted, body: 'a=1&b=2' }),
  php('/server.php', { ...posted, body: 'x'.repeat(100_000) }),
  php('/missing.php'),
  php('/missing.php/more'),
  php('/front/controller%20with%2Bsigns/?q=1&r=%26'),
  php('/folder'),
  php('/folder/'),
  php('/teapot.php', { shows: ['body'] }),
  php('/source.phtml'),
  php('/uploads/evil.php/more'),
  php('/uploads/evil.PHP'),
  php('/admin/', { shows: ['www-authenticate'] }),
  php('/admin/', { password }),
  php('/admin/front', { password }),
  php('/index.php/admin/'),
  php('/index.php/admin/', { password }),
  php('/server.php', { ...tooLarge, shows: ['body'] }),
  app('/', {
    headers: { 'x-forwarded-for': '203.0.113.1', 'x-real-ip': '203.0.113.1', forwarded: 'for=203.0.113.1' },
  }),
  app('/x%20y/%2e%2e/z?q=%41;b'),
  app('/', { method: 'POST', body: 'x'.repeat(1_048_576), shows: ['set-cookie'] }),
  app('/', { method: 'DELETE' }),
  app('/', tooLarge),
  app('/teapot', { shows: ['body'] }),
  app('/moved'),
  app('/admin/'),
  app('/admin/', { password }),
  { domain: 'down.example.com', path: '/any', shows: ['body'] },
  { domain: 'down.example.com', path: '/502.html' },
  { domain: 'safe.example.com', isTls: true, shows: ['strict-transport-security'] },
  { domain: 'safe.example.com', path: '/a%2Fb%3Fc?d=%20', shows: ['strict-transport-security'] },
  { domain: 'safe.example.com', path: '/.well-known/acme-challenge/missing' },
  { domain: 'asleep.example.com', path: '/a', shows: ['retry-after'] },
  { domain: 'paused.example.com', path: '/a/b', shows: ['retry-after'] },
]
