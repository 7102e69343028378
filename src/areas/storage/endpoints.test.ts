import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { standInLvm } from '../../tools/lvm/testing/stand-in.ts'

const gib = 1024 ** 3

describe('the volumes of the host', () => {
  const lvm = standInLvm()
  let panel: TestPanel
  before(async () => void (panel = await openTestPanel({ scripts: [lvm.script] })))
  beforeEach(async () => {
    Object.assign(lvm, { isInstalled: true, free: 10 * gib, size: 10 * gib, grown: 10 * gib })
    Object.assign(lvm, { refusal: '', resizeRefusal: '' })
    await panel.host.files.makeDirectory('/proc/self')
    await panel.host.files.write('/proc/self/mounts', '/dev/mapper/vg0-root / ext4 rw 0 0\n')
  })
  after(() => panel.close())
  const ask = (method: string, path: string, body?: unknown, as = panel.admin) =>
    panel.request(method, `/api/system/lvm${path}`, { as, ...(body !== undefined && { body }) })
  const extend = (body: object) => ask('POST', '/extend', body)

  test('are for superusers', async () => {
    const person = await panel.person({ permissions: ['administrative_operations'] })
    assert.equal((await ask('GET', '', undefined, person)).error.code, 'forbidden')
    assert.equal((await ask('POST', '/extend', { size: '+1G' }, person)).error.code, 'forbidden')
    assert.equal((await panel.request('GET', '/api/system/lvm')).status, 401)
  })

  test('are listed with their groups', async () => {
    const { data } = await ask('GET', '')
    assert.deepEqual(data.groups, [{ name: 'vg0', size_bytes: 20 * gib, free_bytes: 10 * gib }])
    assert.deepEqual(data.volumes, [
      {
        name: 'root',
        group: 'vg0',
        path: '/dev/vg0/root',
        size_bytes: 10 * gib,
        mount: '/',
        file_system: 'ext4',
        is_root: true,
      },
    ])
  })

  test('are extended with their file systems, in each form of a size', async () => {
    for (const [size, expected] of [
      ['+2G', 12],
      ['15G', 15],
      ['100%FREE', 20],
    ] as const) {
      const { status, json } = await extend({ size })
      assert.deepEqual([status, json], [200, { success: true }])
      assert.deepEqual([lvm.size / gib, lvm.grown / gib], [expected, expected])
    }
  })

  test('show a plan that LVM has tested, and change nothing by it', async () => {
    const { data } = await ask('POST', '/extend?plan=1', { size: '+2G' })
    assert.deepEqual(data.steps[0].commands, [['lvextend', '--yes', '--size', '+2G', '--', '/dev/vg0/root']])
    assert.equal(lvm.size, 10 * gib)
    lvm.refusal = 'Insufficient free space'
    const refused = await ask('POST', '/extend?plan=1', { size: '+2G' })
    assert.match(JSON.stringify(refused.data ?? refused.error), /Insufficient free space/)
  })

  test('take no other form of a size', async () => {
    for (const size of ['+5', '-5G', '100%VG', '5g', '0G', '', '+5G -y', '100%FREE ', '1.5G'])
      assert.deepEqual([(await extend({ size })).status, size], [400, size])
    assert.equal((await extend({ size: '+1G', volume: '--help' })).status, 400)
  })

  test('take no size that there is no space for, or that is not larger', async () => {
    assert.match((await extend({ size: '+11G' })).error.message, /size: the group vg0 has 10\.00 GiB free/)
    assert.match((await extend({ size: '10G' })).error.message, /size: the volume has 10\.00 GiB already/)
    lvm.free = 0
    assert.match((await extend({ size: '100%FREE' })).error.message, /no free space/)
  })

  test('tell that there is no LVM, or no such volume', async () => {
    assert.equal((await extend({ size: '+1G', volume: 'vg0/data' })).error.code, 'no_lv')
    await panel.host.files.write('/proc/self/mounts', '/dev/sda1 / ext4 rw 0 0\n')
    assert.equal((await extend({ size: '+1G' })).error.code, 'no_lv')
    lvm.isInstalled = false
    const { status, error } = await extend({ size: '+1G' })
    assert.deepEqual([status, error.code], [400, 'no_lvm'])
    assert.deepEqual((await ask('GET', '')).data.installed, false)
  })

  test('quote the output of a program that fails', async () => {
    lvm.refusal = 'device-mapper: reload ioctl failed'
    const extending = await extend({ size: '+1G' })
    assert.deepEqual([extending.status, extending.error.code], [500, 'extend_failed'])
    assert.match(extending.error.message, /reload ioctl failed/)
    lvm.refusal = ''
    lvm.resizeRefusal = 'resize2fs: Permission denied to resize filesystem'
    const growing = await extend({ size: '+1G' })
    assert.deepEqual([growing.status, growing.error.code], [500, 'resize_failed'])
    assert.match(growing.error.message, /Permission denied.*run resize2fs \/dev\/vg0\/root/s)
  })
})
