import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from '../../core/caller.ts'
import { Problem } from '../../core/problem.ts'
import { openAddresses } from '../../host/fetch/index.ts'
import { createSelfSigned } from '../../host/self-signed.ts'
import { changedSettings } from './settings.ts'
import { defaultSettings, type SettingsEdit } from './settings-model.ts'
import { parseUpstream } from './upstream.ts'

const caller = { user: { id: 1, isAdmin: false } } as Caller
const edit = (from: string) =>
  changedSettings(
    {} as never,
    { type: 'static', settings: defaultSettings },
    { redirects: [{ from, to: '/new' }] },
    caller,
  )

for (const [typed, stored] of [
  ['/alte%20seite.html', '/alte seite.html'],
  ['/caf%C3%A9', '/café'],
  ['/café', '/café'],
  ['/50%25', '/50%'],
  ['//old///page', '/old/page'],
  ['/a/./b/../old', '/a/old'],
  ['/a/%2e%2e/old/', '/old/'],
  ['/a%2Fb', '/a/b'],
  ['/old/..', '/'],
  ['/a/old/.', '/a/old/'],
  ['/...', '/...'],
] as const)
  test(`stores the path ${typed} of a redirect in the form that nginx compares`, async () => {
    assert.deepEqual((await edit(typed)).redirects, [{ from: stored, to: '/new' }])
  })

for (const from of [
  '/old?x=1',
  '/old#part',
  '/a%',
  '/a%ff',
  '/a%0d%0aX',
  '/a%24uri',
  '/a%00',
  '/../old',
  '/a/../..',
])
  test(`refuses the path ${from} of a redirect, which can never match`, async () => {
    await assert.rejects(edit(from), (error) => {
      assert.ok(error instanceof Problem && error.kind.code === 'bad_request', String(error))
      assert.match(error.message, /^redirects\.0\.from: /)
      return true
    })
  })

const folder = (redirect: object) =>
  changedSettings(
    {} as never,
    { type: 'static', settings: defaultSettings },
    { redirects: [{ from: '/old', to: '/new', prefix: true, ...redirect }] },
    caller,
  )

test('stores the redirect of a folder without the slash at its end, and false as absent', async () => {
  const prefix = true
  assert.deepEqual((await folder({ from: '/old/' })).redirects, [{ from: '/old', to: '/new', prefix }])
  assert.deepEqual((await folder({ prefix: false })).redirects, [{ from: '/old', to: '/new' }])
  await folder({ to: '/older', code: 302 })
})

for (const [name, redirect, message] of [
  ['of the whole website', { from: '/' }, /^redirects\.0\.from: .*\/ is the whole website/],
  ['with a character of regular expressions', { from: '/a(b)' }, /^redirects\.0\.from: with prefix/],
  ['to an address with a query', { to: '/new?x=1' }, /^redirects\.0\.to: .*neither \? nor #/],
  ['to a path below itself', { to: '/old/er' }, /^redirects\.0\.to: must not be below \/old/],
  ['with a code that rewrites cannot have', { code: 308 }, /^redirects\.0\.code: must be 301 or 302/],
] as const)
  test(`refuses the redirect of a folder ${name}`, async () => {
    await assert.rejects(folder(redirect), (error) => {
      assert.ok(error instanceof Problem && error.kind.code === 'bad_request', String(error))
      assert.match(error.message, message)
      return true
    })
  })

const proxied = (upstream: string, proxy_settings: SettingsEdit['proxy_settings'] = {}) =>
  changedSettings(
    { addresses: openAddresses({ resolve: async () => ['192.0.2.7'], own: () => [] }) } as never,
    { type: 'proxy', settings: defaultSettings },
    { upstream, proxy_settings },
    caller,
  )

test('verifies the certificate of an https upstream unless that is switched off, for a name', async () => {
  const { proxy_settings } = await proxied('https://app.example.com')
  assert.deepEqual(
    [proxy_settings.verify_tls, proxy_settings.ca, proxy_settings.tls_name],
    [true, null, null],
  )
  for (const upstream of ['https://192.0.2.7', 'https://[2001:db8::7]:8443']) {
    await assert.rejects(proxied(upstream), /upstream: the certificate of .* is verified by name/)
    await proxied(upstream, { verify_tls: false })
    await proxied(upstream, { tls_name: 'app.internal' })
  }
  await assert.rejects(proxied('https://my_app.example.com'), /is not a name that a certificate can have/)
  await proxied('http://192.0.2.7:3000')
})

test('takes the root dot off the name of an upstream, which no certificate has', () => {
  assert.deepEqual(parseUpstream('https://App.example.com.:8443'), {
    host: 'app.example.com',
    port: 8443,
    isTls: true,
  })
  assert.throws(() => parseUpstream('http://./'), /upstream: must name a host/)
  assert.deepEqual(parseUpstream('http://[::1]'), { host: '[::1]', port: 80, isTls: false })
})

test('takes certificates alone as the authorities of an upstream', async () => {
  const { cert, key } = await createSelfSigned('authority', [], new Date())
  const { proxy_settings } = await proxied('https://app.example.com', { ca: `  my own\n${cert}\n` })
  assert.equal(proxy_settings.ca, cert)
  for (const ca of ['', 'text', key, cert + key, cert.replace('\nMII', '\nAAA')])
    await assert.rejects(proxied('https://app.example.com', { ca }), /proxy_settings\.ca: /)
})

const admitting = (name: string, value: string, isEnabled: boolean) =>
  changedSettings(
    {} as never,
    { type: 'php', settings: { ...defaultSettings, page_cache: { ...cached, is_enabled: isEnabled } } },
    { directives: [{ name, values: [value] }] },
    { user: { id: 1, isAdmin: true } } as Caller,
  )
const cached = {
  ...{ lifetime_seconds: 60, max_size_mb: 64, caches_queries: false },
  ...{ uncached_paths: [], uncached_cookies: [] },
}

test('refuses directives that the access check of the page cache would turn into an open door', async () => {
  const checks = [
    { name: 'satisfy', value: 'any' },
    { name: 'satisfy', value: 'Any' },
    { name: 'auth_request', value: '/admission' },
  ]
  for (const { name, value } of checks) {
    await assert.rejects(admitting(name, value, true), (error) => {
      assert.ok(error instanceof Problem && error.kind.code === 'bad_request', String(error))
      assert.match(error.message, new RegExp(`^directives: .*${name}`))
      return true
    })
    assert.equal((await admitting(name, value, false)).directives.length, 1)
  }
  assert.equal((await admitting('satisfy', 'all', true)).directives.length, 1)
})
