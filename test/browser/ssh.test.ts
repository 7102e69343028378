import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { type FilesBench, openFilesBench } from '../../src/areas/filemanager/testing/files-bench.ts'
import { skip } from '../../src/host/owner/testing/homes.ts'
import type { Script } from '../../src/host/testing/scripted-run.ts'
import { madeKeys } from '../../src/tools/openssh/testing/keys.ts'
import { assertSound, openBrowser, openPage, type Visit } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))
/** Nobody has signed in by SSH, and no process is a session. */
const withoutSessions: Script = ([program]) =>
  program === 'journalctl' || program === 'ps' ? { code: 0 } : undefined

describe('SSH keys in a browser', { timeout: 120_000, skip }, () => {
  let bench: FilesBench
  let web: Awaited<ReturnType<typeof serveWithPages>>
  let browser: Browser
  let visit: Visit

  before(async () => {
    bench = await openFilesBench({ scripts: [withoutSessions] })
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
})
