import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { asOwner, skip } from '../../host/owner/testing/homes.ts'
import type { Script } from '../../host/testing/scripted-run.ts'
import { scriptPhp } from '../../tools/php/testing/scripted-php.ts'
import { plugin } from './plugin.ts'
import { addPhpWebsite } from './testing/php-website.ts'

const uid = 61_071
const programs: Script = ([program]) => {
  if (program === 'find') return { code: 1 }
  return program === 'ln' ? { code: 0 } : undefined
}

describe('the page cache of a website of PHP', { skip }, () => {
  let panel: TestPanel
  let folder: string
  let ada: Person
  let id: number
  before(async () => {
    folder = mkdtempSync(`${tmpdir()}/hostreeve-cached-`)
    chmodSync(folder, 0o755)
    mkdirSync(`${folder}/ada`)
    chownSync(`${folder}/ada`, uid, uid)
    panel = await openTestPanel({
      hasNginx: true,
      accounts: new Map([['ada', { uid, home: `${folder}/ada` }]]),
      scripts: [programs, scriptPhp(() => panel.root, '8.1')],
    })
    mkdirSync(`${panel.root}/etc/php/8.1/fpm`, { recursive: true })
    mkdirSync(`${panel.root}/usr/sbin`, { recursive: true })
    writeFileSync(`${panel.root}/usr/sbin/php-fpm8.1`, '')
    writeFileSync(`${panel.root}/etc/php/8.1/fpm/php.ini`, 'memory_limit = 128M\n')
    ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    id = await addPhpWebsite(panel, { domain: 'blog.test', userId: ada.id, home: `${folder}/ada` })
    asOwner(account(), 'mkdir', '-p', inSite('public'))
  })
  after(async () => {
    await panel.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const account = () => ({ name: 'ada', uid, gid: uid, home: `${folder}/ada` })
  const inSite = (path: string) => `${folder}/ada/sites/blog.test/${path}`
  const pluginFile = inSite.bind(null, 'public/wp-content/mu-plugins/hostreeve-page-cache.php')
  const generation = inSite.bind(null, '.hostreeve-page-cache')
  const edit = (body: object, query = '') =>
    panel.request('PATCH', `/api/websites/${id}/page-cache${query}`, { as: ada, body })
  const siteFile = async () =>
    (await panel.host.files.read('/etc/nginx/hostreeve/sites/blog.test.conf')) ?? ''
  const cacheFolder = () => panel.host.files.facts(`/var/cache/hostreeve-nginx/${id}`)

  test('takes lists that nginx can read, and no longer ones', async () => {
    const long = Array.from({ length: 20 }, (_, at) => `/${'a'.repeat(90)}${at}/`)
    const { status, error } = await edit({ uncached_paths: long })
    assert.deepEqual([status, error?.code], [400, 'bad_request'])
    assert.match(error.message, /^uncached_paths: must have at most 1500 characters together/)
  })

  test('stays off with the directive satisfy any, which it would make an open door', async () => {
    const direct = async (directives: readonly object[]) => {
      const { status, text } = await panel.request('PATCH', `/api/websites/${id}`, {
        ...{ as: panel.admin, body: { directives } },
      })
      assert.equal(status, 200, text)
    }
    await direct([{ name: 'satisfy', values: ['any'] }])
    const { status, error } = await edit({ is_enabled: true })
    assert.deepEqual([status, error?.code], [400, 'bad_request'])
    assert.match(error.message, /^is_enabled: the directive satisfy must not be any/)
    assert.ok(!existsSync(generation()))
    await direct([])
  })

  test('has no plugin without WordPress, and its plan says so', async () => {
    const plan = await edit({ is_enabled: true }, '?plan=1')
    assert.equal(plan.status, 200, plan.text)
    assert.match(plan.text, /The document root has no WordPress/)
    assert.ok(!existsSync(generation()))
    const { status, data, text } = await edit({ is_enabled: true, lifetime_seconds: 120 })
    assert.equal(status, 200, text)
    assert.deepEqual([data.is_enabled, data.lifetime_seconds, data.purges_on_change], [true, 120, false])
    assert.match(await siteFile(), /fastcgi_cache_valid 200 301 308 120s;/)
    assert.ok((await siteFile()).includes(`alias ${generation()};`))
    assert.equal((await cacheFolder())?.mode, 0o700)
    assert.deepEqual([statSync(generation()).uid, statSync(generation()).mode & 0o777], [uid, 0o644])
    assert.ok(!existsSync(pluginFile()))
  })

  test('gives WordPress its plugin, as the owner', async () => {
    asOwner(account(), 'mkdir', '-p', dirname(inSite('public/wp-includes/version.php')))
    asOwner(account(), 'touch', inSite('public/wp-includes/version.php'))
    const { status, data, text } = await edit({ is_enabled: true })
    assert.equal(status, 200, text)
    assert.equal(data.purges_on_change, true)
    assert.equal(readFileSync(pluginFile(), 'utf8'), plugin)
    assert.equal(statSync(pluginFile()).uid, uid)
    const shown = await panel.request('GET', `/api/websites/${id}/page-cache`, { as: ada })
    assert.deepEqual([shown.data.purges_on_change, shown.data.lifetime_seconds], [true, 120])
  })

  test('is no field of the website, and outlives its other changes', async () => {
    const { status, data, text } = await panel.request('PATCH', `/api/websites/${id}`, {
      as: ada,
      body: { aliases: ['www.blog.test'] },
    })
    assert.equal(status, 200, text)
    assert.ok(!('page_cache' in data))
    assert.match(await siteFile(), /www\.blog\.test/)
    assert.match(await siteFile(), /fastcgi_cache_valid 200 301 308 120s;/)
  })

  test('loses pages by their path, or all of them', async () => {
    const name = '0123456789abcdef0123456789abcdef'
    const file = `${panel.root}/var/cache/hostreeve-nginx/${id}/f/de/${name}`
    const keep = () => {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `\u0005\nKEY: http GET blog.test blog.test "5f-1" /about/?a=b\n\n`)
    }
    const purge = async (body: object) => {
      const { status, text } = await panel.request('POST', `/api/websites/${id}/page-cache/purge`, {
        as: ada,
        body,
      })
      assert.equal(status, 200, text)
      return existsSync(file)
    }
    keep()
    const shown = await panel.request('GET', `/api/websites/${id}/page-cache`, { as: ada })
    assert.equal(shown.data.pages, 1)
    assert.equal(await purge({ path: '/' }), true)
    assert.equal(await purge({ path: '/about/' }), false)
    keep()
    assert.equal(await purge({}), false)
  })

  test('leaves nothing behind when it is turned off', async () => {
    const { status, data, text } = await edit({ is_enabled: false })
    assert.equal(status, 200, text)
    assert.deepEqual([data.is_enabled, data.lifetime_seconds], [false, 120])
    assert.doesNotMatch(await siteFile(), /fastcgi_cache|hostreeve-page-cache/)
    assert.equal(await cacheFolder(), undefined)
    assert.ok(!existsSync(pluginFile()) && !existsSync(generation()))
  })
})
