import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { standInLvm } from '../../src/tools/lvm/testing/stand-in.ts'
import { assertSound } from './browser.ts'
import { openHostPanel } from './host-panel.ts'
import { settles } from './settles.ts'

const gib = 1024 ** 3

describe('the storage in a browser', () => {
  test('shows volumes and groups, and extends a volume after a look at the plan', async (t) => {
    const lvm = standInLvm()
    lvm.isInstalled = false
    const { panel, page, complaints, dialog, onPage, inDialog, openTab } = await openHostPanel(t, [
      lvm.script,
    ])
    await panel.host.files.makeDirectory('/proc/self')
    await panel.host.files.write('/proc/self/mounts', '/dev/mapper/vg0-root / ext4 rw 0 0\n')
    await openTab('Storage')
    await page.getByText('LVM is not installed').first().waitFor()
    await assertSound(page, 'no storage', ['light, desktop', 'dark, phone'])
    lvm.isInstalled = true
    await page.reload()
    await page.getByText('/ (ext4)').waitFor()
    await assertSound(page, 'storage', ['light, desktop', 'dark, phone'])
    await onPage.press('Extend vg0/root')
    await inDialog.fill('Size', '+5')
    await inDialog.press('Review changes')
    await dialog.getByText('or a size such as +5G or 5G').first().waitFor()
    await inDialog.fill('Size', '+11G')
    await inDialog.press('Review changes')
    await dialog.getByText('the group vg0 has 10.00 GiB free').first().waitFor()
    await inDialog.fill('Size', '+2G')
    await inDialog.press('Review changes')
    await dialog.getByText('a volume in use is not made smaller').first().waitFor()
    await assertSound(page, 'extending a volume', ['light, desktop', 'dark, phone'])
    await inDialog.press('Extend the volume')
    await page.getByText('The volume was extended.').first().waitFor()
    await settles(async () => lvm.grown / gib, 12)
    await page.getByRole('table', { name: 'Volumes' }).getByText('12 GiB').waitFor()
    assert.deepEqual(complaints, [])
  })
})
