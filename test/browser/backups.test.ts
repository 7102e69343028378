import assert from 'node:assert/strict'
import { verify } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { asOwner, skip } from '../../src/host/owner/testing/homes.ts'
import { standInBucket } from '../../src/tools/s3/testing/server.ts'
import { openTestPanel } from '../support/panel.ts'
import { until } from '../support/until.ts'
import { addWebsite } from '../support/websites.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))
const uid = 61_045
const domain = 'shop.test'

/** A home with the folder of a website. */
function makeHome(t: TestContext) {
  const root = mkdtempSync('/tmp/hostreeve-backups-')
  t.after(() => rmSync(root, { recursive: true, force: true }))
  chmodSync(root, 0o755)
  const home = `${root}/ada`
  mkdirSync(home)
  chownSync(home, uid, uid)
  const path = `sites/${domain}/public/index.html`
  return {
    home,
    write: (text: string) =>
      asOwner(
        { name: 'ada', uid, gid: uid, home },
        ...['sh', '-c', `mkdir -p ${dirname(path)}; echo ${text} > ${path}`],
      ),
    read: () => readFileSync(`${home}/${path}`, 'utf8'),
  }
}

describe('backups in a browser', { skip }, () => {
  test('are copied to S3, shown where they are, and restored from there', async (t) => {
    const bucket = await standInBucket()
    t.after(() => bucket.close())
    const ada = makeHome(t)
    const panel = await openTestPanel({
      accounts: new Map([['ada', { uid, home: ada.home }]]),
      hasNginx: true,
      programs: ['gpg', 'gpgconf', 'ln'],
    })
    t.after(() => panel.close())
    mkdirSync(`${panel.root}/root`)
    await panel.start()
    const owner = await panel.person({ username: 'ada' })
    const site = await addWebsite(panel, { domain, userId: owner.id })
    ada.write('before')
    const web = await serveWithPages(panel, `${dirname(entry)}/web`)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    const dialog = page.getByRole('dialog').last()
    const confirm = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
    /** Closes the dialog of a job that has ended. */
    const end = async () => {
      await dialog.getByText('Done', { exact: true }).waitFor()
      await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    }
    const assertBoth = (title: string) => assertSound(page, title, ['light, desktop', 'dark, phone'])
    await signIn({ baseUrl: web.baseUrl, page }, panel.admin)

    await page.goto(`${web.baseUrl}/backups/settings`)
    await page.getByLabel('S3 server').fill(bucket.endpoint)
    await page.getByLabel('Bucket').fill('backups')
    await page.getByLabel('Access key').fill('access')
    await page.getByLabel('Secret key').fill('secret-of-access')
    await page.getByRole('switch', { name: 'Copy backups to S3' }).check()
    await assertBoth('backup settings')
    await page.getByRole('button', { name: 'Save the settings' }).click()
    await page.getByText('The backup settings were saved.').waitFor()

    const backups = `${web.baseUrl}/websites/${site}/backups`
    await page.goto(backups)
    await page.getByRole('button', { name: 'Back up now' }).click()
    await confirm('Back up')
    await end()
    await until(async () => [...bucket.objects.keys()].some((key) => key.endsWith('/manifest.json')))
    await page.goto(backups)
    await page.getByRole('cell', { name: 'This host and S3' }).waitFor()
    await page.getByRole('button', { name: /: 1 backup$/, pressed: true }).waitFor()
    await page.getByRole('button', { name: 'Previous month' }).click()
    await page.getByRole('button', { name: 'Next month' }).click()
    await assertBoth('the backups of a website')
    await page.getByRole('button', { name: /^Restore the backup of / }).click()
    await dialog.getByLabel('Destination').selectOption('New folder, for inspection')
    await dialog.getByLabel('Source').selectOption('S3')
    await assertBoth('restore')
    await confirm('Restore')
    await end()
    assert.equal(ada.read(), 'before\n')
    await page.goto(backups)
    await page.getByRole('button', { name: 'Start a drill' }).click()
    await confirm('Start')
    await end()
    await page.getByRole('cell', { name: 'Succeeded' }).waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Download the report of drill / }).click()
    const signed = JSON.parse(readFileSync(await (await downloading).path(), 'utf8'))
    assert.ok(
      verify(null, Buffer.from(signed.report), signed.public_key, Buffer.from(signed.signature, 'base64')),
    )
    await assertBoth('the drills of a website')
    await page.goto(`${web.baseUrl}/backups`)
    await page.getByText('Proven', { exact: true }).waitFor()
    await page.getByLabel('Days until a proof is too old').fill('7')
    await page.getByRole('button', { name: 'Save the settings' }).click()
    await page.getByText('The drill settings were saved.').waitFor()
    rmSync(`${panel.root}/var/lib/hostreeve/backups/websites`, { recursive: true })
    await page.goto(`${web.baseUrl}/backups`)
    await page.getByRole('cell', { name: 'S3', exact: true }).waitFor()
    await assertBoth('protection')

    ada.write('after')
    await page.goto(backups)
    await page.getByRole('button', { name: /^Restore default-/ }).click()
    await confirm('Restore')
    await end()
    await page.getByRole('cell', { name: 'before-restore', exact: true }).waitFor()
    assert.equal(ada.read(), 'before\n')
    await page.getByRole('cell', { name: 'This host and S3' }).waitFor()
    assert.deepEqual(complaints, [])
  })
})
