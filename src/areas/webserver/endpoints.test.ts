import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import type { Script } from '../../host/testing/scripted-run.ts'

const isRoot = process.getuid?.() === 0
const account = { uid: isRoot ? 1001 : (process.getgid?.() ?? 1001) }
let isMasked = false
const masking: Script = ([program, , property, , unit]) =>
  program === 'systemctl' && property === '--property=LoadState' && unit === 'apache2.service' && isMasked
    ? { stdout: 'LoadState=masked\n' }
    : undefined
const noLogLinks: Script = ([program]) => (program === 'find' ? { code: 1 } : undefined)

describe('the web server', () => {
  let panel: TestPanel
  let ada: Person
  let site: number
  before(async () => {
    panel = await openTestPanel({
      hasNginx: true,
      hasApache: true,
      accounts: new Map([['ada', account]]),
      scripts: [noLogLinks, masking],
    })
    await panel.start()
    ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    site = await addWebsite(panel, { domain: 'a.example.com', userId: ada.id })
    await panel.request('POST', '/api/system/rewrite-all', { as: panel.admin })
  })
  beforeEach(async () => {
    panel.apache.answers(() => '200')
    panel.apache.refuse(undefined)
    panel.apache.listens([])
    isMasked = false
    panel.services.set('nginx', { isActive: true, isEnabled: true })
    if ((await read()).active !== 'nginx') await must('nginx')
  })
  after(() => panel.close())

  const read = async () => (await panel.request('GET', '/api/settings/webserver', { as: panel.admin })).data
  const ask = (server: unknown, query = '', as: Person = panel.admin) =>
    panel.request('POST', `/api/settings/webserver/switch${query}`, { as, body: { server } })
  const must = async (server: string, query = '') => {
    const { status, data, error } = await ask(server, query)
    assert.equal(status, 200, JSON.stringify(error))
    return data
  }
  const refusal = async (server: unknown, query = '') => {
    const { status, error } = await ask(server, query)
    return [status, error.code, error.message] as const
  }
  const patch = (body: object) => panel.request('PATCH', `/api/websites/${site}`, { as: panel.admin, body })
  const states = () => ({ nginx: panel.services.get('nginx'), apache2: panel.services.get('apache2') })
  const fileOf = (domain: string) => panel.tools.apache.readSite(domain)

  test('is for superusers', async () => {
    assert.equal((await ask('apache', '', ada)).error.code, 'forbidden')
    assert.equal((await panel.request('GET', '/api/settings/webserver', { as: ada })).status, 403)
    assert.equal((await panel.request('GET', '/api/settings/webserver')).status, 401)
  })

  test('tells which one serves, and what each cannot', async () => {
    const { active, available } = await read()
    assert.equal(active, 'nginx')
    assert.deepEqual(
      available.map((each: any) => [each.name, each.running, each.reason, each.obstacles]),
      [
        ['nginx', true, '', []],
        ['apache', false, '', []],
      ],
    )
    assert.match(available[1].missing[0].feature, /Access rules/)
  })

  test('is switched, and back', async () => {
    assert.deepEqual(await must('apache'), { active: 'apache', websites: 1 })
    assert.deepEqual(states(), {
      nginx: { isActive: false, isEnabled: false },
      apache2: { isActive: true, isEnabled: true },
    })
    assert.match((await fileOf('a.example.com')) ?? '', /ServerName a\.example\.com/)
    assert.equal((await read()).active, 'apache')
    assert.deepEqual(await must('nginx'), { active: 'nginx', websites: 1 })
    assert.deepEqual(states().apache2, { isActive: false, isEnabled: false })
  })

  test('shows the files and the services in its plan, and changes nothing', async () => {
    const { status, data } = await ask('apache', '?plan=1')
    assert.equal(status, 200)
    assert.match(JSON.stringify(data), /a\.example\.com/)
    assert.match(JSON.stringify(data), /Stop nginx and start Apache/)
    assert.equal((await read()).active, 'nginx')
    assert.deepEqual(states().nginx, { isActive: true, isEnabled: true })
  })

  test('serves what is created, edited and deleted after a switch', async () => {
    await must('apache')
    assert.equal((await patch({ redirects: [{ from: '/old', to: '/new' }] })).status, 200)
    assert.match((await fileOf('a.example.com')) ?? '', /RewriteRule "\^\/old\$" \/new \[R=301/)
    const reloads = panel.nginx.reloads
    assert.equal((await patch({ redirects: [] })).status, 200)
    assert.equal(panel.nginx.reloads, reloads)
  })

  test('has no change undone by its id that another web server served', async () => {
    await must('apache')
    assert.equal((await patch({ redirects: [{ from: '/old', to: '/new' }] })).status, 200)
    await must('nginx')
    const { data } = await panel.request('GET', '/api/activity', { as: panel.admin })
    const { id } = data.items.find(({ path }: { path: string }) => path === `/api/websites/${site}`)
    const { status, error } = await panel.request('POST', `/api/activity/${id}/undo`, { as: panel.admin })
    assert.deepEqual([status, error.code], [409, 'conflict'])
    assert.match(error.message, /with Apache: the host has been changed since/)
  })

  test('is not switched to the one that serves already, or to another program', async () => {
    assert.deepEqual((await refusal('nginx')).slice(0, 2), [400, 'bad_request'])
    for (const server of ['caddy', '', null, 1])
      assert.deepEqual((await refusal(server)).slice(0, 2), [400, 'bad_request'], String(server))
  })

  test('is not switched while a website has what the other one lacks, which is named', async () => {
    const directives = [{ name: 'gzip', values: ['off'] }]
    assert.equal((await patch({ directives })).status, 200)
    const [status, code, message] = await refusal('apache')
    assert.deepEqual([status, code], [409, 'conflict'])
    assert.match(message, /a\.example\.com: directives are those of nginx/)
    const { available } = await read()
    assert.deepEqual(available[1].obstacles, [
      { domain: 'a.example.com', reason: 'directives are those of nginx' },
    ])
    assert.equal((await patch({ directives: [] })).status, 200)
    await must('apache')
    const { status: refused, error } = await patch({ directives })
    assert.deepEqual([refused, error.code], [400, 'bad_request'])
    assert.match(error.message, /directives are those of nginx, and apache serves/)
  })

  test('is not switched while access rules of deleted websites are left', async () => {
    const eve = await panel.person({ username: 'eve' })
    const { db } = panel.store
    await db.insertInto('website_access').values({ user_id: eve.id, digest: 'abc', is_closed: 0 }).execute()
    const [status, code, message] = await refusal('apache')
    assert.deepEqual([status, code], [409, 'conflict'])
    assert.match(
      message,
      /eve: access rules are evaluated by a module of nginx, and those of deleted websites/,
    )
    await db.deleteFrom('website_access').execute()
    await must('apache')
  })

  test('is not switched while a file was edited by hand', async () => {
    const path = panel.tools.nginx.sitePath('a.example.com')
    const written = (await panel.host.files.read(path)) ?? ''
    await panel.host.files.write(path, `${written}# mine\n`)
    const [status, code, message] = await refusal('apache')
    assert.deepEqual([status, code], [409, 'conflict'])
    assert.match(message, /a\.example\.com: its file was edited by hand/)
    await panel.host.files.write(path, written)
  })

  test('replaces an edited file of the other server only where the caller asks for it', async () => {
    await must('apache')
    await must('nginx')
    await panel.host.files.write(`${panel.tools.apache.layout.sitesDirectory}/a.example.com.conf`, '# mine\n')
    assert.deepEqual((await refusal('apache')).slice(0, 2), [409, 'edited_by_hand'])
    await must('apache', '?overwrite=true')
  })

  test('removes files of websites that are gone', async () => {
    const gone = `${panel.tools.apache.layout.sitesDirectory}/gone.example.com.conf`
    const { host, tools } = panel
    await host.apply(tools.apache.tool, [{ path: gone, content: 'old' }])
    await must('apache')
    assert.equal(await host.files.read(gone), undefined)
  })

  test('goes back with all files where a website answers otherwise', async () => {
    panel.apache.answers(() => (panel.services.get('apache2')?.isActive ? '500' : '200'))
    const before = await fileOf('a.example.com')
    const [status, code, message] = await refusal('apache')
    assert.deepEqual([status, code], [500, 'switch_failed'])
    assert.match(message, /a\.example\.com\/ answered 200, and now 500/)
    assert.deepEqual(states(), {
      nginx: { isActive: true, isEnabled: true },
      apache2: { isActive: false, isEnabled: false },
    })
    assert.equal((await read()).active, 'nginx')
    assert.equal(await fileOf('a.example.com'), before)
  })

  test('stays where the other one refuses its files', async () => {
    await panel.host.files.remove(`${panel.tools.apache.layout.sitesDirectory}/a.example.com.conf`)
    panel.apache.refuse('AH00526: Syntax error')
    const [status, code, message] = await refusal('apache')
    assert.deepEqual([status, code], [500, 'config_failed'])
    assert.match(message, /AH00526/)
    assert.equal((await read()).active, 'nginx')
  })

  const stops = () => panel.scripted.commands.filter((argv) => argv.includes('stop')).length

  test('is not stopped for one that refuses the files of others, although those of sites are up to date', async () => {
    await must('apache')
    await must('nginx')
    const before = stops()
    panel.apache.refuse('AH00526: Syntax error on line 1 of /etc/apache2/sites-enabled/foreign.conf')
    const { data } = await ask('apache', '?plan=1')
    assert.match(data.steps.at(-1).refused, /foreign\.conf/)
    const [status, code, message] = await refusal('apache')
    assert.deepEqual([status, code], [500, 'config_failed'])
    assert.match(message, /^server: Apache: AH00526.*foreign\.conf/)
    assert.equal(stops(), before)
    assert.deepEqual(states().nginx, { isActive: true, isEnabled: true })
  })

  test('is not stopped for one that listens on a port of another program', async () => {
    const server = createServer()
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    )
    panel.apache.listens([{ host: '127.0.0.1', port }])
    const before = stops()
    const [status, code, message] = await refusal('apache')
    server.close()
    assert.deepEqual([status, code], [409, 'conflict'])
    assert.match(
      message,
      new RegExp(`^server: Apache would not start: it listens on 127\\.0\\.0\\.1:${port}, which`),
    )
    assert.equal(stops(), before)
    assert.equal((await read()).active, 'nginx')
  })

  test('is not stopped for one whose service is masked, which is told beforehand', async () => {
    isMasked = true
    assert.match((await read()).available[1].reason, /apache2 is masked.*systemctl unmask apache2/)
    const before = stops()
    for (const query of ['?plan=1', '']) {
      const [status, code, message] = await refusal('apache', query)
      assert.deepEqual([status, code], [503, 'unavailable'])
      assert.match(message, /apache2 is masked/)
    }
    assert.equal(stops(), before)
  })

  test('that rests is not started by its service while the other one serves', async () => {
    const start = (service: string, verb: string) =>
      panel.request('POST', `/api/services/${service}/${verb}`, { as: panel.admin })
    for (const [server, resting, serves] of [
      ['apache', 'nginx', 'Apache'],
      ['nginx', 'apache2', 'nginx'],
    ] as const) {
      await must(server)
      const before = states()
      for (const verb of ['start', 'restart', 'enable']) {
        const { status, error } = await start(resting, verb)
        assert.deepEqual([status, error.code], [409, 'conflict'], verb)
        assert.match(
          error.message,
          new RegExp(`^name: ${serves} serves the websites and has the ports 80 and 443`),
        )
      }
      assert.deepEqual(states(), before)
    }
    assert.equal((await start('nginx', 'restart')).status, 200)
  })

  test('evaluates access rules only as nginx', async () => {
    await must('apache')
    await panel.request('POST', '/api/plugins/webacl/enable', { as: panel.admin })
    const { status, error } = await panel.request('POST', '/api/webacl/script-module/install', {
      as: panel.admin,
    })
    assert.deepEqual([status, error.code], [503, 'unavailable'])
    assert.match(error.message, /evaluated by nginx, and apache serves/)
  })
})

test('the web server stays nginx on a host without Apache', async () => {
  const panel = await openTestPanel({ hasNginx: true })
  try {
    await panel.start()
    const body = { server: 'apache' }
    const { status, error } = await panel.request('POST', '/api/settings/webserver/switch', {
      as: panel.admin,
      body,
    })
    assert.deepEqual([status, error.code], [503, 'unavailable'])
    assert.match(error.message, /Apache is not installed/)
    const { data } = await panel.request('GET', '/api/settings/webserver', { as: panel.admin })
    assert.match(data.available[1].reason, /Apache is not installed/)
    assert.equal(data.available[1].version, null)
  } finally {
    await panel.close()
  }
})
