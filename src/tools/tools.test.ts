import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import type { Problem } from '../core/problem.ts'
import { openHost, type Host } from '../host/index.ts'
import { on, scriptedRun } from '../host/testing/scripted-run.ts'
import { openTools, type Tools } from './index.ts'
import { standInNginx, type StandInNginx } from './nginx/testing.ts'

let root: string
let host: Host
let program: StandInNginx
let tools: Tools
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ht-'))
  host = openHost({ root, run: scriptedRun(on('service --version')).run })
  program = standInNginx(host.files)
  tools = openTools(host, { nginx: { program } })
})
afterEach(() => rm(root, { recursive: true, force: true }))

const live = () => ({ signal: AbortSignal.timeout(1000), live: undefined })
const site = (isSuspended = false) =>
  tools.nginx.renderSite({
    id: 1,
    domain: 'a.test',
    aliases: [],
    type: 'static',
    root: '/home/ann/sites/a.test/public',
    isSuspended,
  })

test('every kind of step has a name of its own', () => {
  const names = tools.steps.map((kind) => kind.name)
  const haproxy = [
    'haproxy.edit-config',
    'haproxy.write-config',
    'haproxy.write-file',
    'haproxy.switch-program',
    'haproxy.set-server-state',
  ]
  assert.deepEqual(names, [
    ...haproxy,
    'nginx.write-site',
    'nginx.write-sites',
    'nginx.make-log-directory',
    'nginx.archive-logs',
    'accounts.create',
  ])
})

test('is not healthy before it is set up, and refuses to write a site', async () => {
  assert.equal((await tools.nginx.detect()).reason, 'nginx is not set up for the panel')
  const refused = tools.nginx.writeSite.act(
    { domain: 'a.test', content: site() },
    { before: { content: null }, ...live() },
  )
  await assert.rejects(
    async () => refused,
    (error: Problem) => error.kind.code === 'unavailable',
  )
})

test('writes a site, shows the difference before, and brings back what was there', async () => {
  await tools.nginx.setUp()
  assert.deepEqual(await tools.nginx.detect(), {
    present: true,
    version: '1.22.1',
    healthy: true,
    reason: null,
  })
  const { writeSite } = tools.nginx
  const first = { domain: 'a.test', content: site() }
  const absent = await writeSite.observe(first)
  assert.equal((await writeSite.act(first, { before: absent, ...live() })).isLive, true)
  const second = { domain: 'a.test', content: site(true) }
  const plan = await writeSite.plan(second)
  assert.match(plan.files?.[0]?.diff ?? '', /^\+ {8}return 503/m)
  const before = await writeSite.observe(second)
  await writeSite.act(second, { before, ...live() })
  assert.equal(await writeSite.check(second, before), 'wanted')
  await writeSite.undo(second, before)
  assert.equal(await writeSite.check(second, before), 'before')
  await writeSite.undo(first, absent)
  assert.equal(await host.files.read(tools.nginx.sitePath('a.test')), undefined)
})

test('brings back a file that somebody wrote by hand, to the byte', async () => {
  await tools.nginx.setUp()
  await host.files.write(tools.nginx.sitePath('a.test'), '# mine')
  const args = { domain: 'a.test', content: site(), overwrite: true }
  const before = await tools.nginx.writeSite.observe(args)
  await tools.nginx.writeSite.act(args, { before, ...live() })
  await tools.nginx.writeSite.undo(args, before)
  assert.equal(await host.files.read(tools.nginx.sitePath('a.test')), '# mine')
})

test('changes nothing when nginx refuses', async () => {
  await tools.nginx.setUp()
  const reloads = program.reloads
  program.refuse('nginx: [emerg] no')
  const args = { domain: 'a.test', content: site() }
  await assert.rejects(tools.nginx.writeSite.act(args, { before: { content: null }, ...live() }), {
    message: 'nginx: [emerg] no',
  })
  assert.deepEqual(
    [await host.files.read(tools.nginx.sitePath('a.test')), program.reloads],
    [undefined, reloads],
  )
})

test('makes a place for logs that others pass and do not read, and takes it away again', async () => {
  const { makeLogDirectory } = tools.nginx
  const args = { domain: 'a.test', gid: process.getgid!() }
  const before = await makeLogDirectory.observe(args)
  await makeLogDirectory.act(args, { before, ...live() })
  assert.equal((await host.files.facts('/var/log/hostreeve/sites/a.test'))?.mode, 0o751)
  assert.equal((await host.files.facts('/var/log/hostreeve/sites/a.test/access.log'))?.mode, 0o640)
  assert.equal(await makeLogDirectory.check(args, before), 'wanted')
  await makeLogDirectory.undo(args, before)
  assert.equal(await makeLogDirectory.check(args, before), 'before')
})

for (const domain of ['../../etc/x', 'a/b', '.', '']) {
  test(`never makes a path of the domain ${JSON.stringify(domain)}`, async () => {
    await assert.rejects(
      async () => tools.nginx.writeSite.observe({ domain, content: null }),
      /not a host name/,
    )
    await assert.rejects(
      async () => tools.nginx.makeLogDirectory.observe({ domain, gid: 0 }),
      /not a host name/,
    )
  })
}

test('writes many sites with one reload, keeps what was edited by hand, and brings all back as it was', async () => {
  await tools.nginx.setUp()
  const { writeSites, sitePath } = tools.nginx
  const domains = ['a.test', 'b.test', 'c.test']
  const sites = domains.map((domain) => ({
    domain,
    content: site().replaceAll('a.test', domain),
    gid: process.getgid?.() ?? 0,
  }))
  await host.files.write(sitePath('b.test'), '# by hand\n')
  const [refusing, replacing] = [
    { sites, overwrite: false },
    { sites, overwrite: true },
  ]
  assert.match((await writeSites.plan(refusing)).refused ?? '', /b\.test\.conf was edited by hand/)
  const before = await writeSites.observe(replacing)
  await assert.rejects(
    async () => writeSites.act(refusing, { before, ...live() }),
    (error: Problem) => error.kind.code === 'edited_by_hand',
  )
  await writeSites.undo(refusing, before)
  assert.equal(await writeSites.check(refusing, before), 'before')

  const formerly = program.reloads
  const plan = await writeSites.plan(replacing)
  assert.deepEqual([plan.refused, plan.files?.length], [undefined, 3])
  await writeSites.act(replacing, { before, ...live() })
  assert.equal(program.reloads, formerly + 1)
  assert.equal(await writeSites.check(replacing, before), 'wanted')
  assert.deepEqual(
    await Promise.all(sites.map((each) => tools.nginx.stateOf(each.domain, each.content))),
    domains.map(() => 'as wanted'),
  )

  await host.files.remove(sitePath('c.test'))
  assert.equal(await writeSites.check(replacing, before), 'other', 'killed in between')
  await writeSites.undo(replacing, before)
  await writeSites.undo(replacing, before)
  assert.equal(await writeSites.check(replacing, before), 'before')
  assert.equal(await host.files.read(sitePath('b.test')), '# by hand\n')
  assert.equal(await host.files.facts(tools.nginx.layout.logsDirectory + '/a.test'), undefined)
})
