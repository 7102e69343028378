import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { goldenSites } from './golden/sites.ts'
import { debianLayout } from './layout.ts'
import { renderSite } from './render-site.ts'

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
