import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import os from 'node:os'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'

describe('the name and the time zone of the host', () => {
  let panel: TestPanel
  let tenant: Person
  let hostnameAnswer = { code: 0, stderr: '' }
  let link = ''
  before(async () => {
    panel = await openTestPanel({
      scripts: [
        ([program, ...args]) => {
          if (program === 'hostname') return hostnameAnswer
          if (program === 'head')
            return {
              stdout: /\/(Europe\/Berlin|Asia\/Tokyo|localtime)$/.test(args.at(-1) ?? '') ? 'TZif' : '',
            }
          if (program === 'readlink') return { stdout: '/etc/localtime\n' }
          if (program !== 'ln') return undefined
          link = args.at(-2) ?? ''
          return link.endsWith('Berlin') ? { code: 0 } : { code: 1, stderr: 'Read-only file system' }
        },
      ],
    })
    tenant = await panel.person({ permissions: ['administrative_operations'] })
    await panel.host.files.makeDirectory('/etc')
    await panel.host.files.write('/etc/hosts', '127.0.0.1 localhost\n')
  })
  after(() => panel.close())
  const ask = (method: string, path: string, as: Person | undefined, body?: unknown) =>
    panel.request(method, `/api/settings/${path}`, { ...(as && { as }), ...(body !== undefined && { body }) })

  test('are read: the name by every user, the zone by superusers', async () => {
    const name = await ask('GET', 'server-name', tenant)
    assert.deepEqual([name.status, name.data], [200, { server_name: os.hostname(), stored: '' }])
    const zone = await ask('GET', 'server-timezone', panel.admin)
    assert.deepEqual([zone.status, zone.data], [200, { timezone: 'UTC', offset: '+00:00' }])
    assert.equal((await ask('GET', 'server-timezone', tenant)).status, 403)
    for (const path of ['server-name', 'server-timezone'])
      assert.equal((await ask('GET', path, undefined)).status, 401)
  })

  test('are set by superusers alone', async () => {
    for (const [path, body] of [
      ['server-name', { server_name: 'web1' }],
      ['server-timezone', { timezone: 'Europe/Berlin' }],
    ] as const) {
      assert.equal((await ask('POST', path, tenant, body)).error.code, 'forbidden')
      assert.equal((await ask('POST', path, undefined, body)).status, 401)
    }
  })

  test('a name is written to /etc/hostname and /etc/hosts, after a plan with both', async () => {
    const body = { server_name: 'Web1.Example.com' }
    const plan = await ask('POST', 'server-name?plan=1', panel.admin, body)
    assert.deepEqual(
      plan.data.steps[0].files.map(({ path }: { path: string }) => path),
      ['/etc/hostname', '/etc/hosts'],
    )
    const { status, data } = await ask('POST', 'server-name', panel.admin, body)
    assert.deepEqual([status, data], [200, { success: true }])
    assert.equal(await panel.host.files.read('/etc/hostname'), 'web1.example.com\n')
    assert.match(
      (await panel.host.files.read('/etc/hosts')) ?? '',
      /^127\.0\.1\.1\tweb1\.example\.com web1$/m,
    )
    assert.equal((await ask('GET', 'server-name', panel.admin)).data.stored, 'web1.example.com')
  })

  test('a name that the kernel refuses changes nothing: name_refused', async () => {
    hostnameAnswer = { code: 1, stderr: 'hostname: you must be root' }
    const { status, error } = await ask('POST', 'server-name', panel.admin, { server_name: 'web2' })
    hostnameAnswer = { code: 0, stderr: '' }
    assert.deepEqual([status, error.code], [500, 'name_refused'])
    assert.match(error.message, /you must be root/)
    assert.equal(await panel.host.files.read('/etc/hostname'), 'web1.example.com\n')
  })

  test('a name is taken as people type it, without its root dot', async () => {
    for (const [server_name, stored] of [
      [' Web3.Example.com. ', 'web3.example.com'],
      ['https://web4.example.com/', 'web4.example.com'],
      ['bücher.example.com', 'xn--bcher-kva.example.com'],
    ] as const) {
      assert.equal((await ask('POST', 'server-name', panel.admin, { server_name })).status, 200)
      assert.equal(await panel.host.files.read('/etc/hostname'), `${stored}\n`)
    }
  })

  test('a name that is none is refused', async () => {
    for (const server_name of [
      '',
      '-a',
      'a-',
      'a_b',
      'a b',
      'a..b',
      '.',
      '42',
      'web.42',
      '192.0.2.1',
      'a\nb',
      'ä:b',
      'x'.repeat(65),
      'x'.repeat(254),
      5,
      null,
    ]) {
      const { status, error } = await ask('POST', 'server-name', panel.admin, { server_name })
      assert.deepEqual([status, error.code], [400, 'bad_request'], String(server_name))
      assert.match(error.message, /^server_name: /)
    }
  })

  test('a zone needs the zone database', async () => {
    const { status, error } = await ask('POST', 'server-timezone', panel.admin, { timezone: 'Europe/Berlin' })
    assert.deepEqual([status, error.code], [503, 'unavailable'])
    assert.match(error.message, /tzdata/)
    await panel.host.files.makeDirectory('/usr/share/zoneinfo')
  })

  test('a zone is linked, and written to /etc/timezone', async () => {
    const plan = await ask('POST', 'server-timezone?plan=1', panel.admin, { timezone: 'Europe/Berlin' })
    assert.match(JSON.stringify(plan.data.steps), /cron uses it at once/)
    const { status } = await ask('POST', 'server-timezone', panel.admin, { timezone: 'Europe/Berlin' })
    assert.deepEqual([status, link], [200, '/usr/share/zoneinfo/Europe/Berlin'])
    assert.equal(await panel.host.files.read('/etc/timezone'), 'Europe/Berlin\n')
  })

  test('a zone that cannot be linked changes nothing: timezone_refused', async () => {
    const { status, error } = await ask('POST', 'server-timezone', panel.admin, { timezone: 'Asia/Tokyo' })
    assert.deepEqual([status, error.code], [500, 'timezone_refused'])
    assert.match(error.message, /Read-only file system/)
    assert.equal(await panel.host.files.read('/etc/timezone'), 'Europe/Berlin\n')
  })

  test('a zone that is a link to /etc/localtime is refused, which would then lead to itself', async () => {
    await panel.host.files.makeDirectory('/usr/share/zoneinfo')
    symlinkSync('/etc/localtime', `${panel.root}/usr/share/zoneinfo/localtime`)
    const before = link
    const { status, error } = await ask('POST', 'server-timezone', panel.admin, { timezone: 'localtime' })
    assert.deepEqual([status, error.code, link], [400, 'bad_request', before])
  })

  test('a zone that is none is refused', async () => {
    const bad = [
      '',
      '../../etc/passwd',
      '/etc/passwd',
      'Europe',
      'Europe/',
      'Europe/../UTC',
      '-x',
      'A'.repeat(101),
      'Mars/Base',
      'a\nb',
      7,
    ]
    for (const timezone of bad) {
      const { status, error } = await ask('POST', 'server-timezone', panel.admin, { timezone })
      assert.deepEqual([status, error.code], [400, 'bad_request'], String(timezone))
      assert.match(error.message, /^timezone: /)
    }
  })
})
