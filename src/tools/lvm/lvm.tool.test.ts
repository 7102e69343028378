import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { openFiles } from '../../host/files.ts'
import { type Run, run as runHere } from '../../host/run.ts'
import { extendVolume } from './extend.ts'
import { readStorage } from './volumes.ts'

const mib = 1024 ** 2
const skip = existsSync('/dev/loop-control') ? false : 'this kernel has no loop devices'

/** LVM writes what it knows of volumes to the disk, and activates none: not every kernel has device-mapper. */
const settingsFor = (disk: string, folder: string) => `global { activation = 0 locking_dir = "${folder}" }
devices { use_devicesfile = 0 external_device_info_source = "none" obtain_device_list_from_udev = 0 filter = [ "a|^${disk}$|", "r|.*|" ] }
activation { udev_sync = 0 udev_rules = 0 }
backup { backup = 0 archive = 0 }
`

describe('volumes of LVM itself', { skip }, () => {
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-lvm-`)
  const run: Run = (argv, options) => runHere(argv, { ...options, env: { LVM_SYSTEM_DIR: folder } })
  const must = async (...argv: [string, ...string[]]) => {
    const { code, stdout, stderr } = await run(argv)
    assert.equal(code, 0, `${argv.join(' ')}: ${stderr}`)
    return stdout.trim()
  }
  const host = { run, files: openFiles() }
  const group = `hostreeve${process.pid}`
  let disk = ''
  before(async () => {
    await must('truncate', '--size=128M', `${folder}/disk`)
    disk = await must('losetup', '--find', '--show', `${folder}/disk`)
    writeFileSync(`${folder}/lvm.conf`, settingsFor(disk, folder))
    await must('pvcreate', '--yes', disk)
    await must('vgcreate', group, disk)
    await must('lvcreate', '--yes', '-an', '-Zn', '-Wn', '--size', '40M', '--name', 'data', group)
  })
  after(async () => {
    if (disk !== '') await run(['losetup', '--detach', disk])
    rmSync(folder, { recursive: true, force: true })
  })
  const step = extendVolume(host)
  const path = `/dev/${group}/data`

  it('are listed with the free space of their group', async () => {
    const { groups = [], volumes = [] } = (await readStorage(host)) ?? {}
    assert.deepEqual(groups, [{ name: group, size_bytes: 124 * mib, free_bytes: 84 * mib }])
    const volume = { name: 'data', group, path, size_bytes: 40 * mib, mount: '', file_system: '' }
    assert.deepEqual(volumes, [volume])
  })

  it('are extended in each form of a size, which a plan tests first', async () => {
    for (const [size, expected] of [
      ['+20M', 60],
      ['80M', 80],
      ['100%FREE', 124],
    ] as const) {
      const args = { path, size }
      const before = await step.observe(args)
      assert.deepEqual(await step.preview?.(args, undefined), {})
      assert.equal(await step.check(args, before), 'before', 'a plan changes nothing')
      await step.act(args, stepRun(before))
      assert.equal(await step.check(args, before), 'wanted')
      assert.equal((await readStorage(host))?.volumes[0]?.size_bytes, expected * mib)
    }
  })

  it('are refused in the words of LVM', async () => {
    const args = { path, size: '+4M' }
    const { refused } = (await step.preview?.(args, undefined)) ?? {}
    assert.match(refused ?? '', /[Ii]nsufficient free space/)
    await assert.rejects(async () => step.act(args, stepRun(await step.observe(args))), /[Ii]nsufficient/)
  })
})
