import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { openHost, type Host } from '../../host/index.ts'
import { on, scriptedRun } from '../../host/testing/scripted-run.ts'
import { type Nginx, nginx as nginxTool } from './index.ts'

const gid = process.getgid?.() ?? 0

describe('the logs of deleted sites', () => {
  let root: string
  let host: Host
  let nginx: Nginx
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'deleted-logs-'))
    host = openHost({ root, run: scriptedRun(on('service --version')).run })
    nginx = nginxTool.open(host)
    await host.files.makeDirectory(nginx.layout.logsDirectory)
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const make = async (domain: string) => {
    const args = { sites: [{ domain, gid }] }
    await nginx.steps.makeLogDirectories.act(
      args,
      stepRun(await nginx.steps.makeLogDirectories.observe(args)),
    )
  }
  const archive = async (domain: string, name: string) => {
    const args = { domain, archive: name }
    const before = await nginx.steps.archiveLogs.observe(args)
    await nginx.steps.archiveLogs.act(args, stepRun(before))
    return { args, before }
  }
  const archives = () => host.files.list(nginx.layout.deletedLogsDirectory)

  it('are moved and moved back, both repeatably', async () => {
    await make('a.test')
    const { args, before } = await archive('a.test', '7')
    const { act, undo, check } = nginx.steps.archiveLogs
    assert.deepEqual([await archives(), await check(args, before)], [['7'], 'wanted'])
    await act(args, stepRun(before))
    assert.deepEqual(await archives(), ['7'])
    for (let time = 0; time < 2; time++) {
      await undo(args, before)
      assert.deepEqual([await archives(), await check(args, before)], [[], 'before'])
    }
    assert.deepEqual(await host.files.list(`${nginx.layout.logsDirectory}/a.test`), [
      'access.log',
      'error.log',
    ])
  })

  it('count as moved even after a later site has created its own logs, and need not exist', async () => {
    await make('a.test')
    const { args, before } = await archive('a.test', '7')
    await make('a.test')
    assert.equal(await nginx.steps.archiveLogs.check(args, before), 'wanted')
    const none = await archive('b.test', '8')
    assert.equal(await nginx.steps.archiveLogs.check(none.args, none.before), 'wanted')
    assert.deepEqual(await archives(), ['7'])
  })

  const after = (days: number) => new Date(Date.now() + days * 86_400_000)
  const fill = async (count: number) => {
    for (let id = 1; id <= count; id++) {
      const directory = `${nginx.layout.deletedLogsDirectory}/${id}`
      await host.files.makeDirectory(directory)
      await host.files.write(`${directory}/access.log`, '')
    }
  }

  it('are removed after 90 days, not earlier', async () => {
    await fill(1)
    assert.deepEqual(await nginx.pruneDeletedLogs(after(89)), { removed: 0 })
    assert.deepEqual(await nginx.pruneDeletedLogs(after(91)), { removed: 1 })
    assert.deepEqual(await archives(), [])
  })

  it('are not all removed by one run with a wrong clock', async () => {
    await fill(180)
    assert.deepEqual(await nginx.pruneDeletedLogs(after(400)), { removed: 2 })
    assert.deepEqual(await nginx.pruneDeletedLogs(after(-400)), { removed: 0 })
    assert.deepEqual(await nginx.pruneDeletedLogs(undefined), { removed: 0 })
  })

  it('are kept for at most the last 200 sites', async () => {
    await fill(203)
    assert.deepEqual(await nginx.pruneDeletedLogs(undefined), { removed: 3 })
    assert.equal((await archives()).length, 200)
  })

  it('need not exist when they are pruned', async () => {
    assert.deepEqual(await nginx.pruneDeletedLogs(after(0)), { removed: 0 })
  })
})
