import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SitePage } from '../../tools/site-client.ts'
import { faultOf } from './site-check.ts'

const good = { status: 200, location: null, text: '<h1>Hello</h1>' }
const { signal } = new AbortController()
const faultWith = (pages: Readonly<Record<string, SitePage | undefined>>) =>
  faultOf(async ({ path }) => (path in pages ? pages[path] : good))({ name: 'a.test', isTls: false }, signal)

test('a website that answers its front page and its sign-ins is sound', async () => {
  assert.equal(await faultWith({}), undefined)
  const moved = { status: 301, location: 'https://a.test/', text: '' }
  assert.equal(await faultWith({ '/': moved }), undefined)
  assert.equal(await faultWith({ '/': { ...good, status: 404 } }), undefined)
})

test('a redirect to the same website is followed once', async () => {
  const asked: string[] = []
  const check = faultOf(async ({ name, isTls, path }) => {
    asked.push(`${isTls ? 'https' : 'http'}://${name}${path}`)
    return name === 'a.test'
      ? { status: 301, location: `https://www.a.test${path}`, text: '' }
      : { status: 500, location: null, text: 'broken' }
  })
  assert.match(
    (await check({ name: 'a.test', isTls: false }, signal)) ?? '',
    /^a\.test\/ answered 500: broken/,
  )
  assert.deepEqual(asked, ['http://a.test/', 'https://www.a.test/'])
})

test('a website that fails is told with the page and what it shows', async () => {
  const critical = { status: 500, location: null, text: '<p>There has been a <b>critical error</b>.</p>' }
  assert.equal(await faultWith({ '/': critical }), 'a.test/ answered 500: There has been a critical error .')
  assert.match((await faultWith({ '/wp-login.php': critical })) ?? '', /^a\.test\/wp-login\.php answered 500/)
  assert.equal(await faultWith({ '/': undefined }), 'a.test/ did not answer')
  for (const text of [
    '<p>Hello</p><b>Fatal error</b>: Uncaught Error: no',
    'Parse error: syntax error, unexpected end of file',
  ])
    assert.match((await faultWith({ '/': { ...good, text } })) ?? '', /shows an error: (?:Fatal|Parse) error/)
  const closed = { status: 401, location: null, text: '' }
  assert.match((await faultWith({ '/': closed })) ?? '', /asks for a password, so that it cannot be checked/)
  const empty = { status: 302, location: 'http://a.test/wp-admin/install.php', text: '' }
  assert.match((await faultWith({ '/': empty })) ?? '', /its tables are missing/)
})
