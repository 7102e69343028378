import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { goldenSites } from './golden/sites.ts'
import { debianLayout } from './layout.ts'
import { renderSite } from './render-site.ts'
import type { SiteOptions } from './site.ts'

for (const [name, site] of Object.entries(goldenSites)) {
  test(`renders ${name} as its golden file`, async () => {
    assert.equal(
      renderSite(site, debianLayout),
      await readFile(join(import.meta.dirname, 'golden', `${name}.conf`), 'utf8'),
    )
  })
}

const [site] = Object.values(goldenSites)

for (const domain of [
  '-a.com',
  '.a.com',
  'a..com',
  'a.com;',
  'a.com\n',
  'a.com}',
  '~a',
  'A.com',
  '*a.com',
  '*.*.a.com',
  '*.',
  '*',
  '',
  `${'a'.repeat(64)}.com`,
]) {
  test(`never renders the name ${JSON.stringify(domain)}`, () => {
    assert.throws(() => renderSite({ ...site!, domain }, debianLayout), /not a host name/)
    assert.throws(() => renderSite({ ...site!, aliases: [domain] }, debianLayout), /not a host name/)
  })
}

test('renders a wildcard as an alias, and never as the domain', () => {
  const aliases = ['*.example.com']
  assert.match(renderSite({ ...site!, aliases }, debianLayout), /server_name example\.com \*\.example\.com;/)
  assert.throws(() => renderSite({ ...site!, domain: '*.example.com' }, debianLayout), /not a host name/)
})

for (const root of ['/home/$uri', '/home/a\nb', '/home/a\0b']) {
  test(`never renders the root ${JSON.stringify(root)}`, () => {
    assert.throws(() => renderSite({ ...site!, root }, debianLayout), /nginx cannot represent/)
  })
}

for (const root of ['/srv/sites/public', '/home/ann', '/home/../etc/public', '/home//public'])
  test(`checks the whole path of the root ${root}, which is not below a home`, () => {
    assert.match(renderSite({ ...site!, root }, debianLayout), /disable_symlinks if_not_owner;/)
  })

const plainOptions = {
  isInMaintenance: false,
  redirects: [],
  errorPages: [],
  directives: [],
  protectedFolders: [],
}

test('looks for kept pages first unless passwords, error pages without a dot or directives of them forbid it', () => {
  const looksFirst = (options: Partial<SiteOptions>) =>
    renderSite(
      { ...goldenSites['php-cached']!, options: { ...plainOptions, ...options } },
      debianLayout,
    ).includes('@hostreeve_files')
  const errorPages = [
    { code: 403, path: '/403.html' },
    { code: 502, path: '/502.html' },
  ]
  assert.equal(looksFirst({ errorPages }), true)
  assert.equal(looksFirst({ errorPages: [{ code: 403, path: '/denied' }] }), false)
  assert.equal(looksFirst({ protectedFolders: [{ folder: '/', file: '/etc/users' }] }), false)
  for (const [name, value] of [
    ['error_page', '/denied'],
    ['fastcgi_request_buffering', 'off'],
    ['auth_request', '/admission'],
    ['deny', '192.0.2.1'],
    ['limit_conn', 'visitors'],
    ['resolver', '192.0.2.53'],
  ] as const)
    assert.equal(looksFirst({ directives: [{ name, values: [value] }] }), false, name)
  assert.equal(looksFirst({ directives: [{ name: 'add_header', values: ['A', 'b'] }] }), true)
})

test('leaves the front page to a redirect', () => {
  const redirects = [{ from: '/', to: 'https://example.com/', code: 301 }]
  const text = renderSite({ ...goldenSites['php']!, options: { ...plainOptions, redirects } }, debianLayout)
  assert.equal(text.match(/location = \/ /g)?.length, 1)
  assert.doesNotMatch(text, /@hostreeve_index/)
})
