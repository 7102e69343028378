import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { scriptNft, standInKernel } from '../../src/tools/nftables/testing/stand-in.ts'
import { assertSound } from './browser.ts'
import { openHostPanel } from './host-panel.ts'
import { settles } from './settles.ts'

const text = `version: 1
users:
  - email: ada@example.com
    fullname: Ada Lovelace
  - email: bob@example.com
    password: { env: BOB_PASSWORD }
firewall_rules:
  - { action: allow, protocol: tcp, ports: [443] }
`

describe('a manifest in a browser', () => {
  test('is planned, applied and applied again, and deletes only what was confirmed', async (t) => {
    const opened = await openHostPanel(t, [scriptNft(standInKernel())])
    const { panel, page, complaints, dialog, onPage, inDialog, openTab } = opened
    await panel.start()
    await openTab('Manifest')
    const editor = page.getByLabel('Manifest', { exact: true })
    const input = page.getByLabel('Manifest to upload')
    const upload = (content: string) =>
      input.setInputFiles({
        ...{ name: 'site.yaml', mimeType: 'application/yaml' },
        buffer: Buffer.from(content),
      })
    await upload('version: 1\nusers:\n  - email: adam\n')
    await editor.getByText('adam').waitFor()
    // a file that is still chosen could not be chosen again after it was corrected
    await settles(() => input.inputValue(), '')
    await onPage.press('Review changes')
    await page.getByText('users[0].email: must be an e-mail address').waitFor()
    await assertSound(page, 'a manifest with a mistake', ['light, desktop', 'dark, phone'])

    await upload(text)
    await editor.getByText('bob@example.com').waitFor()
    await onPage.press('Review changes')
    const operations = page.getByRole('list', { name: 'Operations' })
    await operations.getByText('user ada@example.com').waitFor()
    await operations.getByText('firewall rule allow tcp 443').waitFor()
    await settles(() => page.getByRole('button', { name: 'Apply', exact: true }).isDisabled(), true)
    await page.getByLabel('Password for users[1]').fill('the password of bob')
    await assertSound(page, 'the plan of a manifest')
    await onPage.press('Apply')
    await dialog.getByText('Create user ada@example.com', { exact: true }).waitFor()
    await assertSound(page, 'the steps of a manifest', ['light, desktop', 'dark, phone'])
    await inDialog.press('Apply')
    await page.getByRole('heading', { name: 'Passwords of new objects' }).waitFor()
    await dialog.getByText(/^user ada@example\.com: \w{20}$/).waitFor()
    await assertSound(page, 'passwords of new objects', ['light, desktop', 'dark, phone'])
    await page.keyboard.press('Escape')
    await inDialog.press('Close without copying')
    await settles(() => page.getByRole('dialog').count(), 0)
    await onPage.press('Review changes')
    await page.getByText('Nothing to do: this host is as the manifest has it.').waitFor()

    await upload('version: 1\nfirewall_rules: [] # none\n')
    await editor.getByText('# none').waitFor()
    await page.getByLabel('Delete what is not in its sections').check()
    await onPage.press('Review changes')
    await page.getByText('Delete the firewall rule allow tcp 443').waitFor()
    await assertSound(page, 'what a manifest deletes', ['light, desktop', 'dark, phone'])
    await onPage.press('Apply')
    await inDialog.press('Apply')
    await settles(() => page.getByRole('dialog').count(), 0)
    const { data } = await panel.request('GET', '/api/firewall/rules', { as: panel.admin })
    assert.deepEqual(data, [])

    await upload('version: 1\nfirewall_rules: [{ action: allow, protocol: tcp, ports: [8443] }]\n')
    await editor.getByText('8443').waitFor()
    await onPage.press('Review changes')
    await operations.getByText('firewall rule allow tcp 8443').waitFor()
    await panel.request('POST', '/api/firewall/rules', {
      as: panel.admin,
      body: { action: 'allow', protocol: 'tcp', ports: ['9443'] },
    })
    await onPage.press('Apply')
    await dialog.getByText('The manifest would do something else than it was planned to').waitFor()
    await inDialog.press('Cancel')
    await settles(() => page.getByRole('dialog').count(), 0)

    const [saved] = await Promise.all([page.waitForEvent('download'), onPage.press('Export')])
    assert.equal(saved.suggestedFilename(), 'site.yaml')
    await page.getByLabel('Section to export').selectOption('Firewall rules')
    const [part] = await Promise.all([page.waitForEvent('download'), onPage.press('Export')])
    assert.equal(part.suggestedFilename(), 'firewall_rules.yaml')
    assert.match(await readFile(await part.path(), 'utf8'), /^#.*\nversion: 1\nfirewall_rules:\n/)
    assert.deepEqual(complaints, [])
  })
})
