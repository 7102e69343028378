import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { areas } from '../../app/areas.ts'
import type { Script } from '../../host/testing/scripted-run.ts'
import { websites } from '../websites/store.ts'
import { makeSelfSigned } from '../../tools/haproxy/index.ts'

interface ShownTile {
  readonly name: string
  readonly state: string
  readonly summary: string
  readonly error: string | null
  readonly items: readonly { readonly title: string; readonly state: string | null }[]
}

const haproxy: Script = ([program]) =>
  program === 'haproxy' ? { stdout: 'HAProxy version 2.6.12 2026/10/17 - https://haproxy.org/\n' } : undefined

describe('the dashboard', () => {
  let panel: TestPanel
  before(async () => {
    panel = await openTestPanel({ hasNginx: true, scripts: [haproxy] })
  })
  after(() => panel.close())

  const read = async (as: Person = panel.admin) => {
    const { status, data, error } = await panel.request('GET', '/api/dashboard', { as })
    assert.equal(status, 200, error?.message)
    const tiles: readonly ShownTile[] = data.tiles
    return {
      names: tiles.map(({ name }) => name),
      tile: (name: string) => tiles.find((tile) => tile.name === name),
      steps: data.first_steps.map(({ name }: { name: string }) => name),
    }
  }

  test('shows the tiles of every area to a superuser', async () => {
    const { names, tile } = await read()
    assert.deepEqual(names, ['services', 'websites', 'programs', 'updates', 'jobs', 'activity'])
    assert.deepEqual(
      names.map((name) => tile(name)?.error),
      names.map(() => null),
    )
    assert.equal(tile('websites')?.summary, '0 websites')
    assert.match(
      tile('programs')
        ?.items.map(({ title }) => title)
        .join(' ') ?? '',
      /nginx/,
    )
  })

  test('asks for a website and a user until there are some', async () => {
    assert.deepEqual((await read()).steps, ['first-website', 'first-user'])
    const body = { email: 'ada@example.com', password: 'a long enough password', fullname: 'Ada' }
    const made = await panel.request('POST', '/api/users', { as: panel.admin, body })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual((await read()).steps, ['first-website'])
    await storeWebsite(panel)
    const { steps, tile } = await read()
    assert.deepEqual(steps, [])
    assert.equal(tile('websites')?.summary, '1 website')
    assert.deepEqual(
      tile('activity')?.items.map(({ title, state }) => [title, state]),
      [['Create user ada@example.com', 'ok']],
    )
  })

  test('names the jobs that failed', async () => {
    const failed = await panel.jobs.enqueue({
      kind: 'test.none',
      input: {},
      ownerId: null,
      title: 'Install a thing',
    })
    await panel.store.db
      .updateTable('jobs')
      .set({ state: 'failed', finished_at: new Date().toISOString(), error: 'no network' })
      .where('id', '=', failed)
      .execute()
    const { tile } = await read()
    assert.deepEqual(
      [tile('jobs')?.state, tile('jobs')?.summary],
      ['attention', '1 failed in the last 7 days'],
    )
    assert.deepEqual(
      tile('jobs')?.items.map(({ title, state }) => [title, state]),
      [['Install a thing', 'failed']],
    )
  })

  test('shows the state of the load balancer and certificates that expire, where it is installed', async () => {
    mkdirSync(`${panel.root}/etc/haproxy`, { recursive: true })
    mkdirSync(`${panel.root}/usr/sbin`, { recursive: true })
    writeFileSync(`${panel.root}/usr/sbin/haproxy`, '')
    writeFileSync(`${panel.root}/etc/haproxy/haproxy.cfg`, 'defaults\n  mode http\nbackend app\n')
    const long = (await makeSelfSigned(['new.example.com'], new Date())).pem
    const old = (await makeSelfSigned(['old.example.com'], new Date('2001-01-01'))).pem
    const folder = panel.tools.haproxy.layout.certificatesDirectory
    mkdirSync(`${panel.root}${folder}`, { recursive: true })
    writeFileSync(`${panel.root}${folder}/new.example.com.pem`, long)
    writeFileSync(`${panel.root}${folder}/old.example.com.pem`, old)
    const { tile } = await read()
    assert.deepEqual([tile('lbproxy')?.state, tile('lbproxy')?.summary], ['failing', 'HAProxy does not run'])
    assert.deepEqual(
      tile('lbproxy-certificates')?.items.map(({ title, state }) => [title, state]),
      [['old.example.com', 'expired']],
    )
  })

  test('shows somebody who administers services only what they may see', async () => {
    const keeper = await panel.person({ permissions: ['administrative_operations'] })
    assert.deepEqual((await read(keeper)).names, ['services', 'lbproxy', 'lbproxy-certificates', 'jobs'])
  })

  test('is for those who administer the host', async () => {
    const tenant = await panel.person({ permissions: ['websites_management'] })
    const { status, error } = await panel.request('GET', '/api/dashboard', { as: tenant })
    assert.deepEqual([status, error.code], [403, 'forbidden'])
    assert.equal((await panel.request('GET', '/api/dashboard')).status, 401)
  })

  test('has its tiles in a file of each area that contributes', () => {
    const contributing = areas.filter(
      ({ contributes, uses = [] }) =>
        contributes !== undefined && uses.some(({ name }) => name === 'dashboard'),
    )
    const found = contributing.filter(({ name }) =>
      readdirSync(new URL(`../${name}`, import.meta.url)).includes('dashboard.ts'),
    )
    assert.deepEqual(found, contributing)
    assert.ok(found.length >= 6)
  })
})

async function storeWebsite({ store, admin }: TestPanel): Promise<void> {
  const at = new Date().toISOString()
  const row = websites.row({
    id: store.nextId('websites'),
    domain: 'example.com',
    user_id: admin.id,
    username: 'ada',
    type: 'static',
    root: '/home/ada/sites/example.com/public',
    is_suspended: false,
    https_redirect: false,
    hsts: false,
    created_at: at,
    updated_at: at,
  })
  await store.transaction((tx) => store.write(tx, [websites.insert(row)]))
}
