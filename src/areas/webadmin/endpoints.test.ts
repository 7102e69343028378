import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import {
  type PhpmyadminSource,
  phpmyadminArchive,
  publishedLayout,
  startPhpmyadminSource,
} from '../../../test/support/phpmyadmin.ts'
import { areas } from '../../app/areas.ts'
import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { archiveOf } from '../selfupdate/testing/archive.ts'
import type { ScriptedAccount } from '../../host/testing/scripted-host.ts'
import type { Script } from '../../host/testing/scripted-run.ts'
import { scheduleNamed } from '../../jobs/schedules.ts'
import { databasePasswords, webadmin } from './index.ts'
import { portsOfWebadmin } from './ports.ts'
import { webadminQueries } from './store.ts'
import { standInPhp } from '../../tools/php/testing/stand-in.ts'

/** An area that has the password of one account. */
const stored = area({
  name: 'stored',
  title: 'Stored passwords',
  base: '/stored',
  guard: superuser,
  errors: 'coded',
  endpoints: {},
  uses: [webadmin],
  contributes: () => [
    contribution(databasePasswords, async (name) => (name === 'ada_shop' ? 'of the shop' : undefined)),
  ],
  open: () => ({}),
})

const account = 'hostreeve-webadmin'
const folder = '/var/lib/hostreeve-webadmin'
const site = '/etc/nginx/hostreeve/sites/hostreeve-webadmin.conf'
const pool = `/etc/php/8.2/fpm/hostreeve/${account}/site-1.conf`
const application = (version: string) => `${folder}/versions/${version}/phpMyAdmin-${version}-all-languages`

describe('the web admin', () => {
  const accounts = new Map<string, ScriptedAccount>()
  let failing: Script = () => undefined
  let source: PhpmyadminSource
  let panel: TestPanel
  let keeper: Person
  const adding: Script = ([program, ...args]) => {
    if (program !== 'useradd' || !args.includes('--system')) return undefined
    accounts.set(args.at(-1) ?? '', { uid: process.getuid?.() ?? 0 }) // files can be given to it
    return {}
  }
  before(async () => {
    source = await startPhpmyadminSource()
    panel = await openTestPanel({
      areas: [...areas, stored],
      accounts,
      hasNginx: true,
      scripts: [(...asked) => failing(...asked), adding],
      php: { program: standInPhp(() => panel.root) },
      environment: { HOSTREEVE_WEBADMIN_URL: `${source.url}/nowhere, ${source.url}` },
    })
    keeper = await panel.person({ permissions: ['administrative_operations'] })
    mkdirSync(`${panel.root}/usr/sbin`, { recursive: true })
    mkdirSync(`${panel.root}/root`)
    await panel.start()
  })
  after(async () => {
    await panel.close()
    source.close()
  })
  beforeEach(async () => {
    failing = () => undefined
    panel.nginx.refuse(undefined)
    accounts.clear()
    for (const path of [folder, site, `/etc/php/8.2/fpm/hostreeve`, '/root/.hostreeve-mariadb.cnf'])
      rmSync(at(path), { recursive: true, force: true })
    await panel.store.db.deleteFrom('webadmin').execute()
    await panel.store.db.deleteFrom('schedules').where('name', '=', 'webadmin.update').execute()
    mkdirSync(at('/etc/php/8.2/fpm/conf.d'), { recursive: true })
    writeFileSync(at('/usr/sbin/php-fpm8.2'), '')
    writeFileSync(at('/etc/php/8.2/fpm/php.ini'), '')
    for (const extension of ['mysqli', 'mbstring'])
      writeFileSync(at(`/etc/php/8.2/fpm/conf.d/20-${extension}.ini`), `extension=${extension}.so\n`)
    source.layout = publishedLayout('5.2.1')
  })

  const at = (path: string) => `${panel.root}${path}`
  const text = (path: string) => readFileSync(at(path), 'utf8')
  const mode = (path: string) => statSync(at(path)).mode & 0o777
  const ask = (method: string, path = '', body?: unknown) =>
    panel.request(method, `/api/sqldb/webadmin${path}`, { as: keeper, ...(body !== undefined && { body }) })
  const install = async () => {
    const { status, json } = await ask('POST', '/install')
    assert.equal(status, 200, JSON.stringify(json))
    return json
  }
  const read = async () => (await ask('GET')).data
  const storeRootPassword = () =>
    writeFileSync(at('/root/.hostreeve-mariadb.cnf'), '[client]\nuser=root\npassword=of root\n')
  const assertNothing = () => {
    assert.deepEqual(
      [folder, site, pool].filter((path) => existsSync(at(path))),
      [],
    )
    assert.deepEqual([...accounts.keys()], [])
  }
  const refused = async (path: string, status: number, code: string, message: RegExp) => {
    const answer = await ask('POST', path)
    assert.deepEqual([answer.status, answer.error?.code], [status, code], answer.text)
    assert.match(answer.error.message, message)
  }

  it('is not installed at first, and a reading changes nothing', async () => {
    assert.deepEqual(await read(), { installed: false, version: null, path: null, url: null })
    assertNothing()
  })

  it('is downloaded from the first address that has it, and served below a random path of 14 characters', async () => {
    assert.deepEqual(await install(), { success: true, message: 'phpMyAdmin 5.2.1 is installed' })
    const { installed, version, path, url } = await read()
    assert.deepEqual([installed, version], [true, '5.2.1'])
    assert.match(path, /^\/[a-z0-9]{14}\/$/)
    assert.match(url, new RegExp(`^https://[^/]+:7443${path}$`))
    assert.match(text(site), new RegExp(`location \\^~ ${path} {\n +alias ${application('5.2.1')}/;`))
    assert.match(text(site), /fastcgi_pass unix:\/run\/hostreeve-php\/hostreeve-webadmin-8\.2\/site-1\.sock;/)
    assert.match(text(pool), /^user = hostreeve-webadmin$/m)
    assert.match(text(pool), /open_basedir\] = "\/var\/lib\/hostreeve-webadmin\/"/)
  })

  it('has a configuration with a secret of 32 characters that no plan and no log shows', async () => {
    const planned = await ask('POST', '/install?plan=1')
    assert.match(
      JSON.stringify(planned.data.steps),
      /Download and unpack phpMyAdmin 5\.2\.1.*useradd.*config\.inc\.php.*Run the PHP 8\.2/s,
    )
    assertNothing()
    await install()
    const [, secret = ''] = /blowfish_secret'\] = '([\w-]{32})'/.exec(text(`${folder}/config.inc.php`)) ?? []
    assert.equal(secret.length, 32)
    assert.deepEqual(
      [mode(`${folder}/config.inc.php`), mode(`${folder}/php`), mode(`${folder}/tokens`)],
      [0o640, 0o700, 0o730],
    )
    const activity = (await panel.request('GET', '/api/activity', { as: panel.admin })).data
    for (const each of [panel.log, panel.scripted.commands, activity])
      assert.ok(!JSON.stringify(each).includes(secret))
  })

  it('unpacks long names, leaves out the setup, and adds the sign-on script', async () => {
    await install()
    const unpacked = readdirSync(at(application('5.2.1')), { recursive: true, encoding: 'utf8' })
    assert.ok(unpacked.some((path) => path.length > 100))
    assert.ok(!unpacked.includes('setup'))
    assert.match(text(`${application('5.2.1')}/signon.php`), /hash\('sha256', \$token\)/)
    assert.match(
      text(`${application('5.2.1')}/config.inc.php`),
      /require '\/var\/lib\/hostreeve-webadmin\/config\.inc\.php'/,
    )
  })

  it('is updated every month, whoever installed it', async () => {
    await install()
    const row = await scheduleNamed(panel.store, 'webadmin.update')
    assert.deepEqual([row?.cron, row?.is_enabled, row?.owner_id], ['23 4 1 * *', 1, null])
  })

  it('has its port opened by the firewall once it is served', async () => {
    const ports = () => portsOfWebadmin({ queries: webadminQueries(panel.store) })
    assert.deepEqual(await ports(), [])
    await install()
    assert.deepEqual(await ports(), [
      { port: 7443, protocol: 'tcp', name: 'Web admin', reason: 'phpMyAdmin 5.2.1' },
    ])
  })

  it('keeps path and configuration when it is installed again, and is served again', async () => {
    await install()
    const [{ path }, configuration] = [await read(), text(`${folder}/config.inc.php`)]
    rmSync(at(site))
    source.layout = new Map()
    assert.match((await install()).message, /was installed before: its alias and its configuration were kept/)
    assert.deepEqual([(await read()).path, text(`${folder}/config.inc.php`)], [path, configuration])
    assert.ok(existsSync(at(site)))
  })

  it('is not installed from an archive with another checksum, or where nothing can be downloaded', async () => {
    source.layout = publishedLayout('5.2.1', { sha256: '0'.repeat(64) })
    await refused('/install', 500, 'download_error', /has the SHA-256 [0-9a-f]{64}, and 0{64} was published/)
    assertNothing()
    source.layout = new Map()
    await refused('/install', 500, 'download_error', /the server answered 404/)
    source.layout = new Map([['home_page/version.txt', '<html>']])
    await refused(
      '/install',
      500,
      'download_error',
      /must begin with a version such as 5\.2\.1, not "<html>"/,
    )
    source.layout = new Map([
      ['home_page/version.txt', '5.2.1\n'],
      ['phpMyAdmin/5.2.1/phpMyAdmin-5.2.1-all-languages.tar.gz.sha256', 'x'],
    ])
    await refused('/install', 500, 'download_error', /64 hexadecimal digits/)
    assertNothing()
    assert.equal((await read()).installed, false)
  })

  it('is not installed from an archive that leads out of its directory, is damaged or is of another program', async () => {
    const hostile = [
      phpmyadminArchive('5.2.1', [{ name: '../../../../etc/evil', text: 'x' }]),
      Buffer.from('no archive'),
      archiveOf([{ name: 'other/index.php', text: '' }]),
    ]
    for (const archive of hostile) {
      source.layout = publishedLayout('5.2.1', { archive })
      await refused('/install', 500, 'extract_error', /archive/)
      assertNothing()
    }
    assert.ok(!existsSync(at('/etc/evil')))
  })

  it('leaves nothing where nginx refuses it or its account cannot be made', async () => {
    panel.nginx.refuse('bind() to 0.0.0.0:7443 failed (98: Address already in use)')
    await refused('/install', 500, 'config_failed', /Address already in use/)
    assertNothing()
    panel.nginx.refuse(undefined)
    failing = ([program]) =>
      program === 'useradd' ? { code: 1, stderr: 'useradd: cannot lock /etc/passwd' } : undefined
    await refused('/install', 500, 'account_failed', /cannot lock/)
    assertNothing()
    const [entry] = (await panel.request('GET', '/api/activity', { as: panel.admin })).data.items
    assert.deepEqual([entry.action, entry.status], ['webadmin_install_webadmin', 'restored'])
  })

  it('keeps a file of nginx that was edited by hand', async () => {
    await install()
    writeFileSync(at(site), `${text(site)}# mine\n`)
    rmSync(at('/etc/php/8.2/fpm/conf.d/20-mysqli.ini'))
    mkdirSync(at('/etc/php/8.3/fpm/conf.d'), { recursive: true })
    writeFileSync(at('/usr/sbin/php-fpm8.3'), '')
    for (const extension of ['mysqli', 'mbstring'])
      writeFileSync(at(`/etc/php/8.3/fpm/conf.d/20-${extension}.ini`), '')
    await refused('/install', 409, 'edited_by_hand', /hostreeve-webadmin\.conf/)
    rmSync(at('/usr/sbin/php-fpm8.3'))
    assert.match(text(site), /# mine/)
  })

  it('needs a PHP with the extensions for MariaDB and for characters of several bytes', async () => {
    rmSync(at('/etc/php/8.2/fpm/conf.d/20-mysqli.ini'))
    await refused('/install', 503, 'unavailable', /install php8\.2-mysql first/)
    rmSync(at('/etc/php/8.2/fpm/conf.d/20-mbstring.ini'))
    await refused('/install', 503, 'unavailable', /install php8\.2-mysql and php8\.2-mbstring first/)
    rmSync(at('/usr/sbin/php-fpm8.2'))
    await refused('/install', 503, 'unavailable', /PHP is not installed/)
    assertNothing()
  })

  it('signs in by a file for its account alone, named for a digest of the token', async () => {
    await install()
    storeRootPassword()
    const { status, data } = await ask('POST', '/login', { db_user: 'root' })
    assert.equal(status, 200)
    const { url } = await read()
    const token = data.url.replace(`${url}signon.php?token=`, '')
    assert.match(token, /^[0-9a-f]{64}$/)
    const [name = ''] = readdirSync(at(`${folder}/tokens`))
    assert.notEqual(name, token)
    assert.equal(mode(`${folder}/tokens/${name}`), 0o600)
    const { user, password, expires } = JSON.parse(text(`${folder}/tokens/${name}`))
    assert.deepEqual([user, password], ['root', 'of root'])
    const issuedAt = statSync(at(`${folder}/tokens/${name}`)).mtimeMs / 1000
    assert.ok(expires <= issuedAt + 60, `${expires} ${issuedAt}`)
    const activity = (await panel.request('GET', '/api/activity', { as: panel.admin })).data
    for (const each of [panel.log, panel.scripted.commands, activity])
      for (const hidden of [token, 'of root']) assert.ok(!JSON.stringify(each).includes(hidden))
  })

  it('signs in with the password that another area has stored', async () => {
    await install()
    assert.equal((await ask('POST', '/login', { db_user: 'ada_shop' })).status, 200)
    const [name = ''] = readdirSync(at(`${folder}/tokens`))
    assert.equal(JSON.parse(text(`${folder}/tokens/${name}`)).password, 'of the shop')
  })

  it('removes the files of sign-ins that nobody used', async () => {
    await install()
    storeRootPassword()
    await ask('POST', '/login', { db_user: 'root' })
    assert.equal(await panel.tools.phpmyadmin.removeExpired(new Date(0)), 0)
    const [name = ''] = readdirSync(at(`${folder}/tokens`))
    utimesSync(at(`${folder}/tokens/${name}`), new Date(0), new Date(0))
    assert.equal(await panel.tools.phpmyadmin.removeExpired(new Date(Date.now() + 60_000)), 1)
    assert.deepEqual(readdirSync(at(`${folder}/tokens`)), [])
  })

  it('refuses to sign in without an account, an installation, a password or a path', async () => {
    const login = async (body: unknown, status: number, code: string) => {
      const answer = await ask('POST', '/login', body)
      assert.deepEqual([answer.status, answer.error?.code], [status, code], answer.text)
    }
    for (const body of [
      {},
      { db_user: '' },
      { db_user: 7 },
      { db_user: 'a\nb' },
      { db_user: 'a'.repeat(200) },
    ])
      await login(body, 400, 'bad_request')
    await login({ db_user: 'root' }, 400, 'not_installed')
    await install()
    await login({ db_user: 'root' }, 400, 'no_password')
    await login({ db_user: 'ada_blog' }, 400, 'no_password')
    storeRootPassword()
    accounts.clear()
    await login({ db_user: 'root' }, 500, 'token_error')
    await panel.store.db.deleteFrom('webadmin').execute()
    await login({ db_user: 'root' }, 500, 'no_alias')
    assert.deepEqual(await read(), { installed: true, version: '5.2.1', path: null, url: null })
  })

  it('is updated to the newest version with its path and its configuration', async () => {
    await refused('/update', 400, 'not_installed', /not installed/)
    await install()
    const { path } = await read()
    writeFileSync(at(`${folder}/config.inc.php`), '<?php // mine')
    assert.deepEqual((await ask('POST', '/update')).json, {
      success: true,
      old_version: '5.2.1',
      new_version: '5.2.1',
    })
    source.layout = publishedLayout('5.10.0')
    assert.deepEqual((await ask('POST', '/update')).json, {
      success: true,
      old_version: '5.2.1',
      new_version: '5.10.0',
    })
    const now = await read()
    assert.deepEqual(
      [now.version, now.path, text(`${folder}/config.inc.php`)],
      ['5.10.0', path, '<?php // mine'],
    )
    assert.deepEqual(readdirSync(at(`${folder}/versions`)), ['5.10.0'])
    assert.match(text(site), /phpMyAdmin-5\.10\.0-all-languages/)
    source.layout = publishedLayout('5.2.2')
    assert.equal((await ask('POST', '/update')).json.new_version, '5.10.0')
  })

  it('stays as it is where an update fails', async () => {
    await install()
    source.layout = publishedLayout('5.2.2', { sha256: '1'.repeat(64) })
    await refused('/update', 500, 'download_error', /SHA-256/)
    source.layout = publishedLayout('5.2.2', { archive: Buffer.from('none') })
    await refused('/update', 500, 'extract_error', /damaged/)
    source.layout = publishedLayout('5.2.2')
    panel.nginx.refuse('no')
    await refused('/update', 500, 'config_failed', /no/)
    assert.deepEqual([(await read()).version, readdirSync(at(`${folder}/versions`))], ['5.2.1', ['5.2.1']])
    await panel.store.db.deleteFrom('webadmin').execute()
    await refused('/update', 500, 'no_alias', /install it again/)
  })

  it('requires the permission for administrative operations', async () => {
    const person = await panel.person({ permissions: ['websites_management'] })
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/install'],
      ['POST', '/login'],
      ['POST', '/update'],
    ] as const) {
      const url = `/api/sqldb/webadmin${path}`
      assert.equal((await panel.request(method, url, { as: person })).error.code, 'forbidden')
      assert.equal((await panel.request(method, url)).error.code, 'unauthorized')
    }
  })
})
