import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { chmod, stat, truncate } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { scriptPackages } from '../../src/host/testing/scripted-host.ts'
import type { Script } from '../../src/host/testing/scripted-run.ts'
import { rulePath } from '../../src/tools/log-forwarding/layout.ts'
import { scriptRsyslogd } from '../../src/tools/log-forwarding/testing/stand-in.ts'
import { assertSound } from './browser.ts'
import { openHostPanel } from './host-panel.ts'

/** The host of the panel has no programs: these two change the files of its root. */
const setRights: Script = ([program, ...args]) => {
  const [value = '', target = ''] = args.slice(-2)
  if (program === 'chmod') chmodSync(target, Number.parseInt(value, 8))
  return program === 'chmod' || program === 'chown' ? {} : undefined
}
const packages = ['rsyslog', 'rsyslog-gnutls'].map((name) => [name, '8.2302.0-1'] as const)
const path = rulePath('remote')

describe('drift in a browser', () => {
  test('is listed with its state, reverted after a look at the plan, and adopted', async (t) => {
    const scripts = [setRights, scriptRsyslogd(), scriptPackages(new Map(packages))]
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

    await chmod(files.real(path), 0o666)
    await onPage.press('Check now')
    await page.getByText(/^Mode and owner: 0666 \S+ instead of 0644 \S+$/).waitFor()
    await page.getByText(/^Cannot be adopted: others than root could write to it/).waitFor()
    await assertSound(page, 'drift of a mode', ['light, desktop', 'dark, phone'])
    await onPage.press(`Revert ${path}`)
    await dialog.getByText('chmod').first().waitFor()
    await inDialog.press('Revert')
    await page.getByText('No drift').waitFor()
    assert.equal((await stat(files.real(path))).mode & 0o777, 0o644)

    await chmod(files.real(path), 0o600)
    await truncate(files.real(path), 17 * 1024 * 1024)
    await onPage.press('Check now')
    await page.getByText(/^Cannot be reverted: it is larger than 16 MiB/).waitFor()
    await onPage.press(`Adopt ${path}`)
    await dialog.getByText('The file is too large to compare its lines.').waitFor()
    await dialog.getByText(/^Mode and owner: 0600/).waitFor()
    await assertSound(page, 'a file that is too large', ['light, desktop', 'dark, phone'])
    await inDialog.press('Adopt')
    await page.getByText('No drift').waitFor()
    assert.deepEqual(complaints, [])
  })
})
