import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, type Host, startPanel } from './harness/index.ts'
import { SignedIn } from './story/signed-in.ts'

const mib = 1024 ** 2
const skip = existsSync('/dev/loop-control') ? false : 'this kernel has no loop devices'

/** Without device-mapper, which a container has not: LVM writes what it knows of volumes to the disk, and activates none. */
const settings = `global { activation = 0 }
devices { use_devicesfile = 0 external_device_info_source = "none" obtain_device_list_from_udev = 0 }
activation { udev_sync = 0 udev_rules = 0 }
`
/** The loop device goes with the last process that has it open. */
const hold = 'exec 3<>"$1"; losetup --detach "$1"; exec sleep infinity'

describe('the volumes of LVM', { skip }, () => {
  let [host, admin] = [{} as Host, {} as SignedIn]
  before(async () => {
    host = await bootHost('lvm1', { image: 'lvm' })
    await writeFile(join(host.rootPath, 'etc/lvm/lvm.conf'), settings)
    const nodes = [...Array(16).keys()].map((index) => `mknod -m 660 /dev/loop${index} b 7 ${index} || true`)
    const lines = [
      'mknod -m 660 /dev/loop-control c 10 237 || true',
      ...nodes,
      'truncate -s 128M /root/disk',
      'losetup --find --show /root/disk',
    ]
    const { stdout } = await host.must(['sh', '-e', '-c', lines.join('\n')])
    const loop = stdout.trim()
    await host.must(['systemd-run', '--quiet', '--unit=disk', 'bash', '-c', hold, 'bash', loop])
    await host.must(['pvcreate', '--yes', loop])
    await host.must(['vgcreate', 'vg0', loop])
    await host.must(['lvcreate', '--yes', '-an', '-Zn', '-Wn', '--size', '40M', '--name', 'data', 'vg0'])
    admin = await SignedIn.as(await startPanel(host))
  })
  after(async () => host.remove?.())

  const read = () => admin.must('GET', '/api/system/lvm')
  const extend = (size: string, volume = 'vg0/data') =>
    admin.ask('POST', '/api/system/lvm/extend', { size, volume })

  it('are listed with the free space of their groups', async () => {
    const { installed, reason, groups, volumes } = await read()
    assert.deepEqual([installed, reason], [true, ''])
    assert.deepEqual(groups, [{ name: 'vg0', size_bytes: 124 * mib, free_bytes: 84 * mib }])
    assert.equal(volumes.length, 1)
    assert.deepEqual(volumes[0], {
      ...{ name: 'data', group: 'vg0', path: '/dev/vg0/data', size_bytes: 40 * mib },
      ...{ mount: '', file_system: '', is_root: false },
    })
  })

  it('are extended in each form of a size, after a plan that LVM has tested', async () => {
    const { data: plan } = await admin.ask('POST', '/api/system/lvm/extend?plan=1', {
      size: '+20M',
      volume: 'vg0/data',
    })
    assert.equal(plan.steps[0].refused, undefined)
    for (const [size, expected] of [
      ['+20M', 60],
      ['80M', 80],
      ['100%FREE', 124],
    ] as const) {
      const { status, message } = await extend(size)
      assert.equal(status, 200, message)
      assert.equal((await read()).volumes[0].size_bytes, expected * mib)
    }
    assert.equal((await read()).groups[0].free_bytes, 0)
  })

  it('are not extended beyond the space, nor where there is none', async () => {
    assert.deepEqual((await extend('100%FREE')).status, 400)
    assert.match((await extend('+4M')).message, /the group vg0 has 0\.00 GiB free/)
    assert.equal((await extend('+4M', 'vg0/other')).code, 'no_lv')
    const { code } = await admin.ask('POST', '/api/system/lvm/extend', { size: '+4M' })
    assert.equal(code, 'no_lv', 'the root file system is on no volume')
    await host.must(['vgremove', '--yes', '--force', 'vg0'])
    assert.equal((await extend('+4M')).code, 'no_lvm')
  })
})
