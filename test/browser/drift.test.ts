import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scriptPackages } from '../../src/host/testing/scripted-host.ts'
import { rulePath } from '../../src/tools/log-forwarding/layout.ts'
import { scriptRsyslogd } from '../../src/tools/log-forwarding/testing/stand-in.ts'
import { assertSound } from './browser.ts'
import { openHostPanel } from './host-panel.ts'

const packages = ['rsyslog', 'rsyslog-gnutls'].map((name) => [name, '8.2302.0-1'] as const)
const path = rulePath('remote')

describe('drift in a browser', () => {
  test('is listed with its state, reverted after a look at the plan, and adopted', async (t) => {
    const scripts = [scriptRsyslogd(), scriptPackages(new Map(packages))]
    const { panel, page, complaints, dialog, onPage, inDialog, openTab } = await openHostPanel(t, scripts)
    const { files } = panel.host
    await files.makeDirectory('/etc/rsyslog.d')
    const body = { enabled: true, server: 'logs.example.com', port: 514 }
    const { status } = await panel.request('POST', '/api/settings/remote-logging', { as: panel.admin, body })
    assert.equal(status, 200)
    await openTab('Drift')
    await page.getByText('No drift').waitFor()
    await assertSound(page, 'no drift', ['light, desktop', 'dark, phone'])

    const written = (await files.read(path)) ?? ''
    await files.write(path, `${written}# by hand\n`)
    await onPage.press('Check now')
    await page.getByText('1 edited').waitFor()
    await assertSound(page, 'drift', ['light, desktop', 'dark, phone'])
    await onPage.press(`Revert ${path}`)
    await dialog.getByText('-# by hand').first().waitFor()
    await assertSound(page, 'what a revert changes', ['light, desktop', 'dark, phone'])
    await inDialog.press('Revert')
    await page.getByText('No drift').waitFor()
    assert.equal(await files.read(path), written)

    await files.write(path, '# mine\n')
    await onPage.press('Check now')
    await onPage.press(`Adopt ${path}`)
    await dialog.getByText('+# mine').first().waitFor()
    await inDialog.press('Adopt')
    await page.getByText('No drift').waitFor()
    assert.equal(await files.read(path), '# mine\n')
    assert.deepEqual(complaints, [])
  })
})
