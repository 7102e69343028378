import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goldenSites } from '../nginx/golden/sites.ts'
import type { NginxSite } from '../nginx/site.ts'
import { lacks } from './lacks.ts'
import { debianLayout } from './layout.ts'
import { renderApplication } from './render-application.ts'
import { renderSite } from './render-site.ts'

const site = (name: string, changes: Partial<NginxSite> = {}): NginxSite => ({
  ...(goldenSites[name] ?? assert.fail(`no site ${name}`)),
  ...changes,
})
const rendered = (name: string, changes: Partial<NginxSite> = {}) =>
  renderSite(site(name, changes), debianLayout)
const options = {
  isInMaintenance: false,
  redirects: [],
  errorPages: [],
  directives: [],
  protectedFolders: [],
}

test('renders every section that it opens to its end, and each line once indented', () => {
  for (const [name, each] of Object.entries(goldenSites)) {
    if (lacks(each).length > 0) continue
    const open: string[] = []
    for (const line of rendered(name).split('\n')) {
      const [, closing, section] = /^\s*<(\/?)(\w+)/.exec(line) ?? []
      if (section === undefined) continue
      if (closing === '') open.push(section)
      else assert.equal(open.pop(), section, `${name}: ${line}`)
    }
    assert.deepEqual(open, [], name)
  }
})

test('serves names, logs and files of a static site, and no hidden file', () => {
  const text = rendered('static-aliases')
  assert.match(text, /<VirtualHost \*:80>\n {4}ServerName example\.com\n {4}ServerAlias www\.example\.com /)
  assert.match(text, /CustomLog \/var\/log\/hostreeve\/sites\/example\.com\/access\.log hostreeve/)
  assert.match(text, /Options SymLinksIfOwnerMatch/)
  assert.match(text, /<IfModule php_module>\n +php_admin_flag engine off\n/)
  assert.match(text, /RedirectMatch 404 "\/\\\\\.\(\?!well-known\/\)"/)
  assert.doesNotMatch(text, /:443/)
})

test('serves wildcards apart, after the exact names of all sites', () => {
  const text = rendered('static', { aliases: ['www.example.com', '*.example.com'] })
  const [exact = '', wild = ''] = text.split('<IfDefine HOSTREEVE_WILDCARDS>')
  assert.match(exact, /ServerAlias www\.example\.com$/m)
  assert.match(wild, /ServerAlias \*\.example\.com$/m)
})

test('redirects to https but for challenges, and has HSTS over https alone', () => {
  const [plain = '', secure = ''] = rendered('static-https').split('<VirtualHost *:443>')
  assert.match(plain, /RewriteRule "\^\/\(\?!.*acme-challenge\/\)" "https:\/\/%\{SERVER_NAME\}/)
  assert.match(plain, /RewriteCond "%\{THE_REQUEST\}"/)
  assert.doesNotMatch(plain, /Strict-Transport|DocumentRoot/)
  assert.match(secure, /SSLCertificateFile \/etc\/nginx\/hostreeve\/certificates\/6-abc\.pem/)
  assert.match(secure, /Header always set Strict-Transport-Security "max-age=31536000"/)
})

test('quotes a document root, and never renders what Apache would replace', () => {
  assert.match(
    rendered('static-quoted'),
    /DocumentRoot "\/home\/ann\/sites\/it \\"is\\" \{here\}; \\\\ and\/public"/,
  )
  assert.throws(() => rendered('static', { root: '/home/${USER}' }), /cannot represent/)
})

test('answers a suspended website and one in maintenance with 503', () => {
  assert.match(rendered('static-suspended'), /ErrorDocument 503 "This website is suspended\."/)
  const text = rendered('static-maintenance')
  assert.match(text, /Retry-After 600/)
  assert.doesNotMatch(text, /DocumentRoot/)
})

test('runs PHP in the pool of the site, and never in folders of uploads', () => {
  const text = rendered('php')
  assert.match(
    text,
    /SetHandler "proxy:unix:\/run\/hostreeve-php\/ann-8\.2\/site-5\.sock\|fcgi:\/\/localhost"/,
  )
  assert.match(text, /RedirectMatch 404 "\^\/\(\?:wp-content\/uploads\|uploads\)\//)
  assert.match(text, /LimitRequestBody 33554432\n/)
  assert.match(text, /Content-Length\} -gt 33554432"\n {4}RewriteRule "\^" "-" \[R=413,L\]\n/)
  assert.match(text, /ProxyTimeout 40\n/)
})

test('forwards to an address or a socket, and never to a name', () => {
  assert.match(rendered('proxy'), /ProxyPass "\/" http:\/\/192\.0\.2\.7:3000\/ nocanon .*upgrade=ANY\n/)
  const proxy = {
    ...(goldenSites['proxy']?.proxy ?? assert.fail()),
    upstream: { socket: '/run/app/app.sock' },
  }
  assert.match(
    rendered('proxy', { proxy }),
    /ProxyPass "\/" "unix:\/run\/app\/app\.sock\|http:\/\/localhost\/"/,
  )
})

test('shows the page of 502 also where Apache answers 503, to nobody who asks for it', () => {
  const text = rendered('proxy', { options: { ...options, errorPages: [{ code: 502, path: '/502.html' }] } })
  const unknown = rendered('static', {
    options: { ...options, errorPages: [{ code: 499, path: '/499.html' }] },
  })
  assert.doesNotMatch(unknown, /ErrorDocument 499/)
  const spaced = rendered('static', {
    options: { ...options, errorPages: [{ code: 404, path: '/not found.html' }] },
  })
  assert.match(spaced, /ErrorDocument 404 \/not%20found\.html\n/)
  assert.match(text, /ErrorDocument 502 \/502\.html\n {4}ErrorDocument 503 \/502\.html\n/)
  assert.match(text, /RewriteRule "\^\/502\\\.html\$" "-" \[R=404,L\]/)
})

test('asks for passwords of the longest folder last, and never for challenges', () => {
  const protectedFolders = ['/admin/', '/'].map((folder, index) => ({ folder, file: `/p/${index}` }))
  const text = rendered('static', { options: { ...options, protectedFolders } })
  const at = (part: string) => text.indexOf(part)
  assert.ok(at('AuthUserFile /p/1') < at('AuthUserFile /p/0'))
  assert.ok(at('AuthUserFile /p/0') < at('AuthType None'))
})

test('names what Apache lacks', () => {
  assert.deepEqual(lacks(site('static')), [])
  assert.match(lacks(site('static', { accessOwner: 1 })).join(), /access rules/)
  assert.match(lacks(site('static-redirects')).join(), /redirects with prefix/)
  assert.match(lacks(site('proxy-tls')).join(), /certificate of an upstream/)
  assert.match(lacks(site('proxy-socket')).join(), /directives/)
  assert.match(lacks(site('php-hardened')).join(), /sign-ins limited/)
  assert.throws(() => rendered('static', { accessOwner: 1 }), /access rules/)
})

test('serves an application on a port of its own below its alias alone', () => {
  const text = renderApplication(
    {
      port: 8443,
      alias: 'abc123',
      root: '/var/lib/app',
      hidden: ['config.inc.php', 'libraries'],
      socket: '/run/app.sock',
      certificate: { cert: '/tls/panel.crt', key: '/tls/panel.key' },
      bodyMb: 1,
      seconds: 10,
    },
    debianLayout,
  )
  assert.match(text, /^Listen 8443\n<VirtualHost \*:8443>$/m)
  assert.match(text, /RedirectMatch 404 "\^\/abc123\/\(\?:config\\\\\.inc\\\\\.php\|libraries\)/)
  assert.match(text, /SSLCertificateKeyFile \/tls\/panel\.key/)
})

for (const domain of ['-a.com', 'a.com;', 'a.com\n', 'A.com', '*a.com', '*.', 'a b', '"', ''])
  test(`never renders the name ${JSON.stringify(domain)}`, () => {
    assert.throws(() => rendered('static', { domain }), /not a host name/)
    assert.throws(() => rendered('static', { aliases: [domain] }), /not a host name/)
  })
