import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
} from 'node:fs'
import { symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import type { Script } from '../../host/testing/scripted-run.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids'
const uids = { ada: 61_031, bob: 61_032 }

describe('the logs of a website', { skip }, () => {
  let home: string
  let panel: TestPanel
  let ada: Person
  let bob: Person
  let refusesToDelete = false
  let domain = ''
  let count = 0

  /** Runs the commands on symlinks as the owner; a deletion fails if the test requests it. */
  const links: Script = ([program = '', ...args], { as }) => {
    if ((program !== 'find' && program !== 'ln') || as === undefined) return undefined
    if (refusesToDelete && args.includes('-delete')) return { code: 1, stderr: 'find: cannot delete' }
    const { status, stdout, stderr } = spawnSync(program, args, {
      uid: as.uid,
      gid: as.gid,
      encoding: 'utf8',
    })
    return { code: status ?? 1, stdout, stderr }
  }

  before(async () => {
    home = mkdtempSync(join(tmpdir(), 'websites-'))
    chmodSync(home, 0o755)
    const accounts = new Map(
      Object.entries(uids).map(([name, uid]) => [name, { uid, home: join(home, name) }] as const),
    )
    for (const { home: path, uid } of accounts.values()) {
      mkdirSync(path)
      chownSync(path, uid, uid)
    }
    panel = await openTestPanel({ hasNginx: true, accounts, scripts: [links] })
    ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    bob = await panel.person({ username: 'bob', permissions: ['websites_management'] })
  })
  beforeEach(() => {
    domain = `site-${(count += 1)}.example.com`
    refusesToDelete = false
  })
  after(async () => {
    await panel.close()
    rmSync(home, { recursive: true, force: true })
  })

  const create = async (as: Person): Promise<number> =>
    (await panel.request('POST', '/api/websites', { as, body: { domain, type: 'static' } })).data.id
  const remove = (id: number, query = '') =>
    panel.request('DELETE', `/api/websites/${id}${query}`, { as: panel.admin })
  const linesOf = async (id: number, as: Person) =>
    (await panel.request('GET', `/api/websites/${id}/logs`, { as })).data.lines
  const logged = (line: string) => panel.host.files.write(`${directory()}/access.log`, `${line}\n`)
  const directory = () => `${panel.tools.nginx.layout.logsDirectory}/${domain}`
  const archive = (name: number | string) => `${panel.tools.nginx.layout.deletedLogsDirectory}/${name}`
  const linkOf = (name: string) => join(home, name, 'logs', domain)
  const isLinked = (name: string) => lstatSync(linkOf(name), { throwIfNoEntry: false }) !== undefined

  it('are hidden from the next owner of the domain, whose logs start empty', async () => {
    const first = await create(ada)
    await logged('a visit to ada')
    assert.deepEqual(await linesOf(first, ada), ['a visit to ada'])
    assert.equal((await remove(first)).status, 200)
    const second = await create(bob)
    assert.deepEqual(await linesOf(second, bob), [])
    for (const path of [directory(), `${directory()}/access.log`, `${directory()}/error.log`])
      assert.equal((await panel.host.files.facts(path))?.gid, uids.bob)
    assert.deepEqual([isLinked('ada'), readlinkSync(linkOf('bob'))], [false, directory()])
  })

  it('are archived under the website’s id on deletion, readable only by root', async () => {
    const id = await create(ada)
    await logged('a visit to ada')
    await remove(id, '?files=remove')
    assert.equal(await panel.host.files.read(`${archive(id)}/access.log`), 'a visit to ada\n')
    const { deletedLogsDirectory } = panel.tools.nginx.layout
    const { mode, uid } = (await panel.host.files.facts(deletedLogsDirectory)) ?? {}
    assert.deepEqual([mode, uid], [0o700, 0])
    assert.equal(await panel.host.files.facts(directory()), undefined)
  })

  it('are archived on creation if a former site with that name left some', async () => {
    await panel.host.files.makeDirectory(directory(), { gid: uids.ada })
    await logged('a visit to somebody')
    const id = await create(bob)
    assert.deepEqual(await linesOf(id, bob), [])
    assert.equal(
      await panel.host.files.read(`${archive(`before-${id}`)}/access.log`),
      'a visit to somebody\n',
    )
  })

  it('are restored with the symlink when the deletion fails after archiving', async () => {
    const id = await create(ada)
    await logged('a visit to ada')
    refusesToDelete = true
    const { status, error } = await remove(id)
    assert.deepEqual([status, error.code], [500, 'folder_failed'])
    assert.match(error.message, /cannot delete.*Nothing was changed/)
    assert.deepEqual(await linesOf(id, ada), ['a visit to ada'])
    assert.equal(readlinkSync(linkOf('ada')), directory())
    assert.notEqual(await panel.host.files.read(panel.tools.nginx.sitePath(domain)), undefined)
    refusesToDelete = false
    assert.equal((await remove(id)).status, 200)
  })

  it('keep a file that the owner put in place of the symlink', async () => {
    const id = await create(ada)
    rmSync(linkOf('ada'))
    symlinkSync('/somewhere/else', linkOf('ada'))
    assert.equal((await remove(id)).status, 200)
    assert.equal(readlinkSync(linkOf('ada')), '/somewhere/else')
    rmSync(linkOf('ada'))
    mkdirSync(linkOf('ada'))
    writeFileSync(`${linkOf('ada')}/own.log`, 'own')
    const next = await create(ada)
    assert.equal((await remove(next)).status, 200)
    assert.ok(existsSync(`${linkOf('ada')}/own.log`))
  })
})
