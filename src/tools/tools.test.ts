import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { stepRun } from '../../test/support/step-run.ts'
import type { Problem } from '../core/problem.ts'
import { openHost, type Host } from '../host/index.ts'
import { on, scriptedRun } from '../host/testing/scripted-run.ts'
import { openTools, type Tools } from './open-tools.ts'
import { standInNginx, type StandInNginx } from './nginx/testing/stand-in.ts'

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

const site = (isSuspended = false) =>
  tools.nginx.renderSite({
    id: 1,
    domain: 'a.test',
    aliases: [],
    type: 'static',
    root: '/home/ann/sites/a.test/public',
    isSuspended,
    certificate: null,
    redirectsToHttps: false,
    hasHsts: false,
  })

test('every kind of step has a unique name', () => {
  const names = tools.steps.map((kind) => kind.name)
  assert.ok(names.length > 8, `only ${names.length}`)
  assert.deepEqual(names, [...new Set(names)])
})

const one = (content: string | null, overwrite = false) => ({
  sites: [{ domain: 'a.test', content }],
  overwrite,
})

test('is unhealthy before it is set up, and refuses to write a site', async () => {
  assert.equal((await tools.nginx.detect()).reason, 'nginx is not set up for the panel')
  await assert.rejects(
    tools.nginx.steps.writeSites.act(one(site()), stepRun({ was: null })),
    (error: Problem) => error.kind.code === 'unavailable',
  )
})

test('writes a site, previews the diff, and restores the previous file', async () => {
  await tools.nginx.setUp()
  assert.deepEqual(await tools.nginx.detect(), {
    present: true,
    version: '1.22.1',
    healthy: true,
    reason: null,
  })
  const { writeSites } = tools.nginx.steps
  const absent = await writeSites.observe(one(site()))
  await writeSites.act(one(site()), stepRun(absent))
  assert.equal(await tools.nginx.stateOf('a.test', site()), 'as wanted')
  const second = one(site(true))
  const plan = await writeSites.plan(second)
  assert.equal(plan.title, 'Serve a.test')
  assert.match(plan.files?.[0]?.diff ?? '', /^\+ {8}return 503/m)
  const before = await writeSites.observe(second)
  await writeSites.act(second, stepRun(before))
  assert.equal(await writeSites.check(second, before), 'wanted')
  await writeSites.undo(second, before)
  assert.equal(await writeSites.check(second, before), 'before')
  await writeSites.undo(one(site()), absent)
  assert.equal(await host.files.read(tools.nginx.sitePath('a.test')), undefined)
  assert.equal((await writeSites.plan(one(null))).title, 'Stop serving a.test')
})

test('restores a manually written file byte for byte', async () => {
  await tools.nginx.setUp()
  await host.files.write(tools.nginx.sitePath('a.test'), '# mine')
  const args = one(site(), true)
  const before = await tools.nginx.steps.writeSites.observe(args)
  await tools.nginx.steps.writeSites.act(args, stepRun(before))
  await tools.nginx.steps.writeSites.undo(args, before)
  assert.equal(await host.files.read(tools.nginx.sitePath('a.test')), '# mine')
})

test('changes nothing when nginx refuses the configuration', async () => {
  await tools.nginx.setUp()
  const reloads = program.reloads
  program.refuse('nginx: [emerg] no')
  await assert.rejects(tools.nginx.steps.writeSites.act(one(site()), stepRun({ was: null })), {
    message: 'nginx: [emerg] no',
  })
  assert.deepEqual(
    [await host.files.read(tools.nginx.sitePath('a.test')), program.reloads],
    [undefined, reloads],
  )
})

test('creates log directories that others can traverse but not read', async () => {
  const { makeLogDirectories } = tools.nginx.steps
  const args = { sites: [{ domain: 'a.test', gid: process.getgid!() }] }
  await makeLogDirectories.act(args, stepRun(await makeLogDirectories.observe(args)))
  assert.equal((await host.files.facts('/var/log/hostreeve/sites/a.test'))?.mode, 0o751)
  assert.equal((await host.files.facts('/var/log/hostreeve/sites/a.test/access.log'))?.mode, 0o640)
})

for (const domain of ['../../etc/x', 'a/b', '.', '']) {
  test(`never makes a path of the domain ${JSON.stringify(domain)}`, async () => {
    await assert.rejects(
      async () => tools.nginx.steps.writeSites.observe({ sites: [{ domain, content: null }] }),
      /not a host name/,
    )
    await assert.rejects(
      async () => tools.nginx.steps.makeLogDirectories.observe({ sites: [{ domain, gid: 0 }] }),
      /not a host name/,
    )
  })
}

test('writes many sites with one reload, keeps manual edits, and restores all files', async () => {
  await tools.nginx.setUp()
  const { sitePath } = tools.nginx
  const { writeSites } = tools.nginx.steps
  const domains = ['a.test', 'b.test', 'c.test']
  const sites = domains.map((domain) => ({ domain, content: site().replaceAll('a.test', domain) }))
  await host.files.write(sitePath('b.test'), '# by hand\n')
  const [refusing, replacing] = [
    { sites, overwrite: false },
    { sites, overwrite: true },
  ]
  assert.match((await writeSites.plan(refusing)).refused ?? '', /b\.test\.conf was edited by hand/)
  await assert.rejects(
    async () => writeSites.observe(refusing),
    (error: Problem) => error.kind.code === 'edited_by_hand',
  )

  const formerly = program.reloads
  const plan = await writeSites.plan(replacing)
  assert.deepEqual([plan.refused, plan.files?.length], [undefined, 3])
  const before = await writeSites.observe(replacing)
  await writeSites.act(replacing, stepRun(before))
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
})
