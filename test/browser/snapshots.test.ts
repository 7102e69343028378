import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scriptPackages } from '../../src/host/testing/scripted-host.ts'
import { rulePath } from '../../src/tools/log-forwarding/layout.ts'
import { scriptRsyslogd } from '../../src/tools/log-forwarding/testing/stand-in.ts'
import { assertSound } from './browser.ts'
import { openHostPanel } from './host-panel.ts'

const packages = ['rsyslog', 'rsyslog-gnutls'].map((name) => [name, '8.2302.0-1'] as const)

describe('snapshots in a browser', () => {
  test('are made, restored after a look at what differs, and deleted', async (t) => {
    const scripts = [scriptRsyslogd(), scriptPackages(new Map(packages))]
    const { panel, page, complaints, dialog, onPage, inDialog, openTab } = await openHostPanel(t, scripts)
    await panel.host.files.makeDirectory('/etc/rsyslog.d')
    const send = async (port: number) => {
      const body = { enabled: true, server: 'logs.example.com', port }
      const { status } = await panel.request('POST', '/api/settings/remote-logging', {
        as: panel.admin,
        body,
      })
      assert.equal(status, 200)
    }
    await send(514)
    await openTab('Snapshots')
    await page.getByText('No snapshots yet').waitFor()
    await assertSound(page, 'no snapshots', ['light, desktop', 'dark, phone'])
    await onPage.press('Make a snapshot')
    await inDialog.fill('Name', 'before/it')
    await inDialog.press('Review changes')
    await dialog.getByText('Must be letters, digits').first().waitFor()
    await inDialog.fill('Name', 'before-it')
    await inDialog.fill('Comment', 'the former port')
    await inDialog.press('Review changes')
    await dialog.getByText('It has 1 file, and the store').first().waitFor()
    await inDialog.press('Make the snapshot')
    await page.getByText('the former port').waitFor()
    await assertSound(page, 'snapshots', ['light, desktop', 'dark, phone'])

    await send(601)
    await onPage.press('Restore before-it')
    await dialog.getByText('port="601"').first().waitFor()
    await dialog.getByText('1 row of the store changes').first().waitFor()
    await assertSound(page, 'what a snapshot would restore', ['light, desktop', 'dark, phone'])
    await inDialog.press('Restore the snapshot')
    await page.getByText('The snapshot was restored.').first().waitFor()
    assert.match((await panel.host.files.read(rulePath('remote'))) ?? '', /port="514"/)
    await onPage.press('Delete before-it')
    await inDialog.press('Delete the snapshot')
    await page.getByText('No snapshots yet').waitFor()
    assert.deepEqual(complaints, [])
  })
})
