import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { placeExim, scriptExim, standInExim } from '../../tools/exim/testing/stand-in.ts'

const skip = process.getuid?.() !== 0 && 'only root can give files to root'
const config = '/etc/exim4/update-exim4.conf.conf'
const passwords = '/etc/exim4/passwd.client'
const relayed = {
  smart_route: 'Mail.example.com::587',
  default_from: 'server@example.com',
  username: 'panel',
  password: 'correct horse',
}

describe('the mail of the host', { skip }, () => {
  const exim = standInExim()
  let panel: TestPanel
  let tenant: Person
  before(async () => {
    panel = await openTestPanel({ scripts: [scriptExim(exim, () => panel.root)] })
    tenant = await panel.person({ permissions: ['administrative_operations'] })
  })
  beforeEach(async () => {
    placeExim(panel.root)
    for (const path of [passwords, '/etc/email-addresses']) await panel.host.files.remove(path)
  })
  after(() => panel.close())
  const ask = (method: string, path = '', body?: unknown, as: Person | undefined = panel.admin) =>
    panel.request(method, `/api/settings/mail${path}`, {
      ...(as && { as }),
      ...(body !== undefined && { body }),
    })
  const set = async (body: object) => {
    const { status, error } = await ask('POST', '', body)
    assert.equal(status, 200, JSON.stringify(error))
  }
  const refusal = async (body: object) => {
    const { status, error } = await ask('POST', '', body)
    assert.deepEqual([status, error.code], [400, 'bad_request'], JSON.stringify(body))
    return error.message as string
  }
  const settings = async () => (await ask('GET')).data
  const read = (path: string) => panel.host.files.read(path)

  test('is for superusers', async () => {
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '', relayed],
      ['GET', '/queue', undefined],
      ['POST', '/test', { to: 'ada@example.com' }],
    ] as const) {
      assert.equal((await ask(method, path, body, tenant)).error.code, 'forbidden')
      assert.equal((await panel.request(method, `/api/settings/mail${path}`, { body })).status, 401)
    }
  })

  test('has no relay where Exim is not installed, and its changes say what is missing', async () => {
    exim.isInstalled = false
    const { status, data } = await ask('GET')
    const { data: queue } = await ask('GET', '/queue')
    const refused = [await ask('POST', '', relayed), await ask('POST', '/test', { to: 'ada@example.com' })]
    exim.isInstalled = true
    assert.deepEqual(
      [status, data.smart_route, data.config_type, data.running, data.default_from, data.installed],
      [200, '', 'internet', false, '', false],
    )
    assert.deepEqual(queue, { total: 0, messages: [] })
    for (const { status: code, error } of refused) {
      assert.deepEqual([code, error.code], [503, 'unavailable'])
      assert.match(error.message, /exim4 is not installed: install it under Software/)
    }
  })

  test('has a relay, a sign-in and a sender, in the files of Debian', async () => {
    const before = exim.generated
    await set(relayed)
    assert.equal(
      await read(config),
      "dc_eximconfig_configtype='smarthost'\ndc_other_hostnames='web1'\ndc_smarthost='mail.example.com::587'\n",
    )
    assert.equal(await read(passwords), '*:panel:correct horse\n')
    assert.equal(statSync(`${panel.root}${passwords}`).mode & 0o777, 0o640)
    assert.equal(await read('/etc/email-addresses'), 'root:server@example.com\n')
    assert.equal(exim.generated, before + 1)
    assert.deepEqual(await settings(), {
      smart_route: 'mail.example.com::587',
      config_type: 'smarthost',
      running: false,
      default_from: 'server@example.com',
      username: 'panel',
      password: 'corr••••••••orse',
      configured_type: 'smarthost',
      reason: '',
      installed: true,
    })
  })

  test('has a plan without the password, and an entry without it', async () => {
    const { data } = await ask('POST', '?plan=1', relayed)
    assert.deepEqual(
      data.steps.map(({ files }: { files: { path: string }[] }) => files[0]?.path),
      [config, passwords, '/etc/email-addresses'],
    )
    assert.doesNotMatch(JSON.stringify(data), /horse/)
    assert.equal(await read(passwords), undefined)
    await set(relayed)
    assert.doesNotMatch(
      JSON.stringify((await panel.request('GET', '/api/activity', { as: panel.admin })).data),
      /horse/,
    )
  })

  test('keeps what a change does not name, and a password that comes back masked', async () => {
    await set(relayed)
    await set({ default_from: '' })
    await set({ username: 'panel', password: (await settings()).password })
    await set({ smart_route: 'mail.example.com::25', password: '********' })
    const { smart_route, default_from, username } = await settings()
    assert.deepEqual([smart_route, default_from, username], ['mail.example.com::25', '', 'panel'])
    assert.equal(await read(passwords), '*:panel:correct horse\n')
    await set({ password: 'another' })
    assert.equal(await read(passwords), '*:panel:another\n')
    await set({ username: '' })
    assert.equal((await settings()).password, null)
  })

  test('never sends the stored password to another relay', async () => {
    await set(relayed)
    const other = { smart_route: 'other.example.com::587' }
    assert.match(await refusal({ ...other, username: 'panel' }), /^password: enter it again/)
    assert.match(await refusal({ username: 'ada' }), /^password: enter the password of ada/)
    await set(other)
    assert.equal(await read(passwords), '')
    assert.match(await refusal({ password: 'new' }), /^username: is required/)
    await set({ smart_route: '' })
    assert.match(await refusal({ username: 'ada', password: 'x' }), /^username: there is no relay/)
    assert.equal((await settings()).config_type, 'internet')
  })

  test('sends no credentials to the wrong relay while it changes', async () => {
    await set(relayed)
    const moved = { smart_route: 'other.example.com::587', username: 'ada', password: 'new' }
    const { data } = await ask('POST', '?plan=1', moved)
    assert.deepEqual(
      data.steps.map(({ files }: { files: { path: string }[] }) => files[0]?.path),
      [passwords, config, passwords],
    )
    await set(moved)
    assert.equal(await read(passwords), '*:ada:new\n')
  })

  test('has a password that others could read until now, and keeps the key of its entry', async () => {
    await panel.host.files.write(passwords, '# old:panel:forgotten\nmail.example.com:panel:former\n', {
      rights: { mode: 0o664, uid: 1, gid: 1 },
    })
    await set({ smart_route: relayed.smart_route })
    const { data } = await ask('POST', '?plan=1', { password: 'planned' })
    assert.doesNotMatch(JSON.stringify(data), /forgotten|former|planned/)
    await set({ password: 'another' })
    assert.equal(await read(passwords), '# old:panel:forgotten\nmail.example.com:panel:another\n')
    const { mode, uid, gid } = statSync(`${panel.root}${passwords}`)
    assert.deepEqual([mode & 0o777, uid, gid], [0o640, 0, 0])
  })

  test('is not changed by a body without fields', async () => {
    assert.match(await refusal({}), /^smart_route: is required where no default_from/)
  })

  for (const smart_route of [
    'host:25',
    '::',
    '::25',
    'host::',
    'mail.example.com',
    'ma_il.example.com::25',
    '-mail.example.com::25',
    'mail-.example.com::25',
    'mail..example.com::25',
    'mail.example.com..::25',
    '.::25',
    `${'a.'.repeat(126)}aa::25`,
    'mail.example.com::0',
    'mail.example.com::65536',
    'mail.example.com::025',
    'mail.example.com::25\n',
    "mail.example.com::25'; reboot '",
    '$(reboot)::25',
    'a::25;b::25',
  ])
    test(`has no relay ${JSON.stringify(smart_route.slice(0, 40))}`, async () => {
      assert.match(await refusal({ smart_route }), /^smart_route: must be host::port such as/)
    })

  test('takes the root dot off the name of a relay', async () => {
    await set({ smart_route: 'Mail.Example.com.::587' })
    assert.equal((await settings()).smart_route, 'mail.example.com::587')
  })

  test('takes names of up to 253 characters, addresses, and every port', async () => {
    for (const smart_route of [`${'a.'.repeat(126)}a::25`, '192.0.2.7::65535', 'relay::1'])
      await set({ smart_route })
  })

  test('has no users, passwords and senders that its files cannot hold', async () => {
    for (const username of ['a:b', 'a\nb', ' a', 'a ', 'a\u0000'])
      assert.match(await refusal({ ...relayed, username }), /^username: must be one line without a colon/)
    for (const password of ['a\nb', ' a', 'a ', 'a\r', ''])
      assert.match(await refusal({ ...relayed, password }), /^password: /)
    for (const default_from of [
      'ada',
      'a,b@example.com',
      'a@b@c',
      '|sh@example.com',
      'a@exa_mple.com',
      'a b@example.com',
    ])
      assert.match(await refusal({ default_from }), /^default_from: must be an e-mail address/)
  })

  test('is refused by Exim with its message: config_failed', async () => {
    await panel.host.files.write(config, "dc_smarthost=''\n# forbidden\n")
    const { status, error } = await ask('POST', '', { smart_route: 'mail.example.com::25' })
    assert.deepEqual([status, error.code], [500, 'config_failed'])
    assert.match(error.message, /Invalid new configfile/)
    assert.equal(await read(config), "dc_smarthost=''\n# forbidden\n")
  })

  test('is left to people where they configure Exim themselves', async () => {
    await panel.host.files.write(config, 'dc_smarthost=$RELAY\n')
    assert.equal((await settings()).configured_type, '')
    assert.equal((await ask('POST', '', { smart_route: '' })).status, 409)
    await panel.host.files.write('/etc/exim4/exim4.conf', '')
    const { reason } = await settings()
    const { status, error } = await ask('POST', '', { smart_route: '' })
    await panel.host.files.remove('/etc/exim4/exim4.conf')
    assert.equal(status, 503)
    assert.ok(error.message.startsWith(reason))
  })

  test('waits in a queue, whose failure is told: queue_failed', async () => {
    exim.queue = {
      total: 1,
      text: ' 4m   617 1vNCn2-00001Y-0A <> *** frozen ***\n          ada@example.com\n\n',
    }
    const { data } = await ask('GET', '/queue')
    assert.equal(data.total, 1)
    assert.deepEqual(
      [data.messages[0].recipients, data.messages[0].is_frozen, data.messages[0].sender],
      [['ada@example.com'], true, ''],
    )
    exim.queue = { total: Number.NaN, text: '' }
    const { status, error } = await ask('GET', '/queue')
    assert.deepEqual([status, error.code], [500, 'queue_failed'])
  })

  test('is tested by a message, whose failure is quoted: mail_failed', async () => {
    const { status, data } = await ask('POST', '/test', { to: 'ada@example.com' })
    assert.deepEqual([status, data], [200, { outcome: 'delivered', message: exim.fate.slice(3) }])
    exim.fate = '** ada@example.com R=smarthost: 535 no'
    const refused = await ask('POST', '/test', { to: 'ada@example.com' })
    assert.deepEqual([refused.status, refused.error.code], [502, 'mail_failed'])
    assert.match(refused.error.message, /535 no/)
    assert.deepEqual(exim.sent, ['ada@example.com', 'ada@example.com'])
    for (const to of [
      '',
      'ada',
      '-f@example.com',
      'a,root@example.com',
      '|sh@localhost',
      'a@b -oQ',
      '/etc/x@b',
    ])
      assert.equal((await ask('POST', '/test', { to })).error.code, 'bad_request', to)
    assert.equal(exim.sent.length, 2)
  })
})
