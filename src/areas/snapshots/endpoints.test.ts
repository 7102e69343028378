import assert from 'node:assert/strict'
import { statSync, truncateSync } from 'node:fs'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import type { RowWrite } from '../../core/change.ts'
import { stamped } from '../../host/apply/stamp.ts'
import { scriptPackages } from '../../host/testing/scripted-host.ts'
import { rulePath } from '../../tools/log-forwarding/layout.ts'
import { scriptRsyslogd } from '../../tools/log-forwarding/testing/stand-in.ts'

const skip = process.getuid?.() !== 0 && 'only root can give files to root'
const folder = '/var/lib/hostreeve/snapshots'
const path = rulePath('remote')

describe('snapshots', { skip }, () => {
  const installed = new Map([
    ['rsyslog', '1.0-1'],
    ['rsyslog-gnutls', '1.0-1'],
  ])
  let panel: TestPanel
  let forbidden = 'refused.example.com'
  before(async () => {
    panel = await openTestPanel({ scripts: [scriptRsyslogd(() => forbidden), scriptPackages(installed)] })
    await panel.host.files.makeDirectory('/etc/rsyslog.d')
  })
  beforeEach(async () => {
    forbidden = 'refused.example.com'
    await panel.host.files.removeTree(folder)
  })
  after(async () => {
    mock.restoreAll()
    await panel.close()
  })
  const ask = (method: string, at = '', body?: unknown, as: Person = panel.admin) =>
    panel.request(method, `/api/system/snapshots${at}`, { as, ...(body !== undefined && { body }) })
  const send = async (port: number) => {
    const body = { enabled: true, server: 'logs.example.com', port }
    const { status, error } = await panel.request('POST', '/api/settings/remote-logging?overwrite=true', {
      as: panel.admin,
      body,
    })
    assert.equal(status, 200, JSON.stringify(error))
  }
  const portNow = async () =>
    (await panel.request('GET', '/api/settings/remote-logging', { as: panel.admin })).data.port
  const write = (row: RowWrite) => panel.store.transaction((tx) => panel.store.write(tx, [row]))
  const make = async (name: string) => {
    const { status, data, error } = await ask('POST', '', { name, comment: 'before the change' })
    assert.equal(status, 201, JSON.stringify(error))
    return data
  }

  test('are for superusers', async () => {
    const person = await panel.person({ permissions: ['administrative_operations'] })
    for (const [method, at, body] of [
      ['GET', '', undefined],
      ['POST', '', { name: 'one' }],
      ['DELETE', '/one', undefined],
      ['POST', '/one/restore', undefined],
    ] as const) {
      assert.equal((await ask(method, at, body, person)).error.code, 'forbidden')
      assert.equal((await panel.request(method, `/api/system/snapshots${at}`, { body })).status, 401)
    }
  })

  test('are made, listed and deleted', async () => {
    await send(514)
    const made = await make('one')
    assert.deepEqual([made.name, made.comment, made.version], ['one', 'before the change', '0.0.0-test'])
    assert.ok(made.files >= 1)
    assert.deepEqual((await ask('GET')).data.snapshots, [made])
    assert.equal((await ask('DELETE', '/one')).status, 200)
    assert.deepEqual((await ask('GET')).data.snapshots, [])
  })

  test('have names of letters, digits, dots, _ and -', async () => {
    for (const name of ['', '..', '.', 'a/b', 'a b', 'ä', 'x'.repeat(101)])
      assert.equal((await ask('POST', '', { name })).status, 400, name)
    assert.equal((await ask('POST', '', {})).status, 400)
    await make('A.b_c-1')
    const taken = await ask('POST', '', { name: 'A.b_c-1' })
    assert.deepEqual([taken.status, taken.error.code], [409, 'name_taken'])
  })

  test('are missing where there is none', async () => {
    for (const [method, at] of [
      ['DELETE', '/none'],
      ['POST', '/none/restore'],
    ] as const) {
      const { status, error } = await ask(method, at)
      assert.deepEqual([status, error.code], [404, 'not_found'])
    }
  })

  test('are restored with the settings, after a plan that shows what differs', async () => {
    await send(514)
    await make('one')
    await send(601)
    await panel.host.files.write(path, '# by hand\n')
    const { data: plan } = await ask('POST', '/one/restore?plan=1')
    assert.match(plan.steps[0].files[0].diff, /^-# by hand$[^]*port="514"/m)
    assert.equal(await panel.host.files.read(path), '# by hand\n')
    const { status, data, error } = await ask('POST', '/one/restore')
    assert.equal(status, 200, JSON.stringify(error))
    assert.deepEqual(data, { files: [path], rows: 1 })
    assert.match((await panel.host.files.read(path)) ?? '', /port="514"/)
    assert.equal(await portNow(), 514)
    assert.deepEqual((await ask('POST', '/one/restore')).data, { files: [], rows: 0 })
  })

  test('change nothing if a program refuses a file', async () => {
    await send(514)
    await make('one')
    await send(601)
    forbidden = 'port="514"'
    const { status, error } = await ask('POST', '/one/restore')
    assert.deepEqual([status, error.code], [500, 'restore_failed'])
    assert.match((await panel.host.files.read(path)) ?? '', /port="601"/)
    assert.equal(await portNow(), 601)
  })

  test('are refused while another web server serves than when they were made', async () => {
    await make('nginx')
    const { db } = panel.store
    const refusal = async () => (await ask('POST', '/nginx/restore?plan=1')).error?.message
    await db.insertInto('web_server').values({ id: 1, active: 'apache', revision: 1 }).execute()
    assert.match(await refusal(), /^name: the web server was switched since nginx was made/)
    await db.updateTable('web_server').set({ active: 'nginx', revision: 2 }).execute()
    assert.equal(await refusal(), undefined)
    await db.deleteFrom('web_server').execute()
  })

  test('have each file once, for the program that wrote it', async () => {
    await send(514)
    const ofLogStore = '/etc/rsyslog.d/30-hostreeve-source-1.conf'
    await panel.host.files.write(ofLogStore, stamped('# Source 1\n'))
    await panel.host.files.write('/etc/rsyslog.d/50-default.conf', '*.* /var/log/all\n')
    await make('one')
    const content = JSON.parse((await panel.host.files.read(`${folder}/one/files.json`)) ?? '')
    assert.deepEqual(
      content.files.map((each: any) => [each.program, each.path]),
      [
        ['log-forwarding', path],
        ['rsyslog', ofLogStore],
      ],
    )
    await panel.host.files.remove(ofLogStore)
  })

  test('name a file that is too large for them, and leave it as it is when they are restored', async () => {
    await send(514)
    await make('small')
    const written = (await panel.host.files.read(path)) ?? ''
    truncateSync(panel.host.files.real(path), 17 * 1024 * 1024)
    const { data: plan } = await ask('POST', '?plan=1', { name: 'large' })
    assert.match(JSON.stringify(plan), /10-hostreeve-remote\.conf is too large for it, and left out/)
    const made = await make('large')
    assert.deepEqual([made.files, made.left_out], [0, [path]])
    assert.deepEqual((await ask('GET')).data.snapshots[0], made)
    assert.deepEqual((await ask('POST', '/large/restore')).data, { files: [], rows: 0 })
    const { status, error } = await ask('POST', '/small/restore')
    assert.deepEqual([status, error.code], [409, 'snapshot_unfit'])
    assert.match(error.message, /^name: \S+remote\.conf is larger than 16 MiB now/)
    await panel.host.files.write(path, written)
    assert.deepEqual((await ask('POST', '/large/restore')).data, { files: [], rows: 0 })
    assert.equal(await panel.host.files.read(path), written)
  })

  test('leave out the largest files if all together are too large', async () => {
    await send(514)
    const sources = [1, 2].map((id) => `/etc/rsyslog.d/30-hostreeve-source-${id}.conf`)
    const lines = (mib: number) => stamped('# a line of text\n'.repeat((mib * 1024 * 1024) / 17))
    await panel.host.files.write(sources[0]!, lines(9))
    await panel.host.files.write(sources[1]!, lines(8))
    const { files, left_out } = await make('one')
    assert.deepEqual([files, left_out], [2, [sources[0]]])
    for (const each of sources) await panel.host.files.remove(each)
  })

  test('are for root alone, the copy of the store too', async () => {
    await make('one')
    const modeOf = (name: string) => statSync(panel.host.files.real(`${folder}/one${name}`)).mode & 0o777
    assert.deepEqual(['', '/files.json', '/store.db'].map(modeOf), [0o700, 0o600, 0o600])
  })

  test('are refused if a database was created since', async () => {
    await make('one')
    const now = new Date().toISOString()
    const times = { created_at: now, updated_at: now }
    const values = { id: 900, engine: 'mariadb', name: 'shop', user_id: null, website_id: null, ...times }
    await write({ write: 'insert', table: 'databases', values: { ...values, revision: 1 } })
    const { status, error } = await ask('POST', '/one/restore')
    assert.deepEqual([status, error.code], [409, 'snapshot_unfit'])
    assert.match(error.message, /^name: the database shop was created since one was made/)
    await write({ write: 'delete', table: 'databases', where: { id: 900 } })
    assert.equal((await ask('POST', '/one/restore')).status, 200)
  })

  test('are refused if they do not fit any more', async () => {
    await make('one')
    await panel.host.files.write(`${folder}/one/files.json`, '{"files":')
    const { status, error } = await ask('POST', '/one/restore')
    assert.deepEqual([status, error.code], [409, 'snapshot_unfit'])
    assert.deepEqual((await ask('GET')).data.snapshots, [])
    assert.equal((await ask('DELETE', '/one')).status, 200, 'such a one is deleted all the same')
    await make('one')
  })

  test('are not made in part', async () => {
    const copying = mock.method(panel.store, 'copyTo', async () => {
      throw new Error('disk I/O error')
    })
    const { status, error } = await ask('POST', '', { name: 'one' })
    copying.mock.restore()
    assert.deepEqual([status, error.code], [500, 'snapshot_failed'])
    assert.deepEqual((await ask('GET')).data.snapshots, [])
  })
})
