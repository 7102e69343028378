import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { type FilesBench, openFilesBench } from '../../src/areas/filemanager/testing/files-bench.ts'
import { skip } from '../../src/host/owner/testing/homes.ts'
import type { Script } from '../../src/host/testing/scripted-run.ts'
import { madeKeys } from '../../src/tools/openssh/testing/keys.ts'
import { until } from '../support/until.ts'
import { assertSound, openBrowser, openPage, type Visit } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))
/** The file for alice, which sshd reports as it is. */
let dropIn = (): string => ''
/** Nobody has signed in by SSH, and no process is a session. */
const withoutSessions: Script = ([program, verb]) => {
  if (program === 'sshd') return { stdout: verb === '-T' ? dropIn().replaceAll('    ', '') : '' }
  return program === 'journalctl' || program === 'ps' ? { code: 0 } : undefined
}

describe('SSH keys in a browser', { skip }, () => {
  let bench: FilesBench
  let web: Awaited<ReturnType<typeof serveWithPages>>
  let browser: Browser
  let visit: Visit

  before(async () => {
    bench = await openFilesBench({ scripts: [withoutSessions] })
    const { files } = bench.panel.host
    await files.makeDirectory('/etc/ssh/sshd_config.d')
    await files.write('/etc/ssh/sshd_config', 'Include /etc/ssh/sshd_config.d/*.conf\n')
    const path = files.real('/etc/ssh/sshd_config.d/00-hostreeve-alice.conf')
    dropIn = () => (existsSync(path) ? readFileSync(path, 'utf8') : '')
    web = await serveWithPages(bench.panel, `${dirname(entry)}/web`)
    browser = await openBrowser()
    visit = { baseUrl: web.baseUrl, page: (await openPage(browser)).page }
    await signIn(visit, bench.panel.admin)
    const { data } = await bench.panel.request('GET', '/api/users?search=alice', { as: bench.panel.admin })
    await visit.page.goto(`${web.baseUrl}/users/${data.items[0].id}`)
  })
  after(async () => {
    await browser?.close()
    await web?.close()
    await bench?.remove()
  })

  const keys = () => readFileSync(bench.at('.ssh/authorized_keys'), 'utf8')
  const dialogTo = async (button: string, title: string) => {
    await visit.page.getByRole('button', { name: button }).click()
    return visit.page.getByRole('dialog', { name: title })
  }

  test('are refused where a private key was pasted, which is not kept', async () => {
    const { page } = visit
    await page.getByText('No SSH keys', { exact: true }).waitFor()
    const dialog = await dialogTo('Add key', 'Add SSH key')
    await dialog.getByLabel('Public key').fill('-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA')
    await dialog.getByRole('button', { name: 'Add the key' }).click()
    await dialog.getByText(/private key/).waitFor()
    await assertSound(page, 'ssh-key', ['light, desktop', 'dark, phone'])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  test('are added from text, and listed by fingerprint', async () => {
    const { page } = visit
    const dialog = await dialogTo('Add key', 'Add SSH key')
    await dialog.getByLabel('Public key').fill(madeKeys.ed25519.line)
    await dialog.getByRole('button', { name: 'Add the key' }).click()
    const list = page.getByRole('region', { name: 'SSH keys' })
    await list.getByText(madeKeys.ed25519.fingerprint).waitFor()
    assert.equal(keys().trim(), madeKeys.ed25519.line)
    await assertSound(page, 'ssh-keys', ['light, desktop', 'dark, phone'])
  })

  test('are deleted after their plan', async () => {
    const { page } = visit
    const list = page.getByRole('region', { name: 'SSH keys' })
    await list.getByRole('button', { name: /^Delete/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete the SSH key ada@laptop' })
    await dialog.getByText('The sessions that it has opened end at once.').waitFor()
    await dialog.getByRole('button', { name: 'Delete the key' }).click()
    await page.getByText('No SSH keys', { exact: true }).waitFor()
    assert.equal(keys().trim(), '')
  })

  test('are no way in while SFTP is off, which a plan shows, and are again once it is on', async () => {
    const { page } = visit
    const sftp = page.getByRole('switch', { name: /^SFTP/ })
    const isOn = () => sftp.isChecked()
    assert.equal(await isOn(), true)
    await sftp.click({ force: true })
    const off = page.getByRole('dialog', { name: 'Disable SFTP of alice' })
    await off.getByText('Refuse alice every sign-in by SSH and SFTP', { exact: false }).first().waitFor()
    assert.equal(dropIn(), '')
    await assertSound(page, 'sftp-off', ['light, desktop', 'dark, phone'])
    await off.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('SFTP of alice is off.').first().waitFor()
    assert.match(dropIn(), /^ {4}DenyUsers alice$/m)
    await until(async () => !(await isOn()))
    await sftp.click({ force: true })
    const on = page.getByRole('dialog', { name: 'Enable SFTP of alice' })
    await on.getByText('Confine alice to SFTP', { exact: false }).first().waitFor()
    await on.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await isOn(), false)
    await page.getByRole('switch', { name: /^Shell/ }).click({ force: true })
    await page
      .getByRole('dialog', { name: 'Enable Shell of alice' })
      .getByRole('button', { name: 'Enable' })
      .click()
    await page.getByText('Shell of alice is on.').first().waitFor()
    await until(isOn)
    assert.equal(dropIn(), '')
  })
})
