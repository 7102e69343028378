import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { scriptPackages, scriptSystemd } from '../../src/host/testing/scripted-host.ts'
import { standInServer } from '../../src/tools/mariadb/testing/stand-in.ts'
import { mongoTools, standInMongodb } from '../../src/tools/mongodb/testing/stand-in.ts'
import { openTestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))
const packages = new Map([
  ['mongodb-org-server', '8.0.4'],
  ['mongodb-database-tools', '100.10.0'],
  ['mariadb-server', '1:10.11.14-0+deb12u2'],
])

describe('the document server in a browser', () => {
  test('is backed up and restored, has accounts, and is stopped and started', async (t) => {
    const server = standInMongodb()
    server.databases.set('shop', 'first')
    const service = { isActive: true, isEnabled: true }
    const services = new Map([
      ['mongod', service],
      ['mariadb', { isActive: false, isEnabled: false }],
      ['nginx', { isActive: true, isEnabled: true }],
    ])
    const sqlServer = standInServer()
    sqlServer.isDown = true
    const panel = await openTestPanel({
      scripts: [mongoTools(server), scriptPackages(packages), scriptSystemd(services)],
      mongodb: { connection: server.connection },
      mariadb: { connection: sqlServer.connection },
    })
    t.after(() => panel.close())
    for (const folder of ['root', 'etc', 'var/backups'])
      mkdirSync(`${panel.root}/${folder}`, { recursive: true })
    writeFileSync(`${panel.root}/etc/mongod.conf`, 'security:\n  authorization: enabled\n')
    writeFileSync(`${panel.root}/root/.hostreeve-mongodb.yaml`, 'password: "x"\n')
    await panel.start()
    const web = await serveWithPages(panel, `${dirname(entry)}/web`)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    await signIn({ baseUrl: web.baseUrl, page }, panel.admin)

    await page.goto(`${web.baseUrl}/sqldb`)
    await page
      .getByRole('navigation', { name: 'Pages of the SQL server' })
      .getByRole('link', { name: 'Document server' })
      .click()
    await page.getByText('MongoDB 8.0.4').waitFor()
    const dialog = page.getByRole('dialog')
    const backups = page.getByRole('region', { name: 'Backups' })

    await backups.getByRole('button', { name: 'Back up' }).click()
    await dialog.getByText('Write a backup of all databases').waitFor()
    await dialog.getByRole('button', { name: 'Back up' }).click()
    await page.getByText('The backup was written.').waitFor()
    server.databases.set('shop', 'second')
    await backups.getByRole('button', { name: /^Restore \d/ }).click()
    await dialog.getByText('Databases: shop').waitFor()
    await dialog.getByRole('button', { name: 'Restore it' }).click()
    await settles(() => backups.getByRole('button', { name: /^Restore \d/ }).count(), 2)
    assert.equal(server.databases.get('shop'), 'first')

    await page.getByRole('button', { name: 'New account' }).click()
    await dialog.getByRole('textbox', { name: 'Account' }).fill('shop')
    await dialog.getByRole('textbox', { name: 'Password' }).fill('short')
    await dialog.getByRole('textbox', { name: 'Database' }).fill('shop')
    await dialog.getByRole('button', { name: 'Review changes' }).click()
    await dialog.getByText('must be a password of 8 to 256 characters').waitFor()
    await dialog.getByRole('textbox', { name: 'Password' }).fill('long-enough')
    await dialog.getByRole('button', { name: 'Review changes' }).click()
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByText('readWrite@shop').waitFor()
    assert.equal(server.accounts[0]?.pwd, 'long-enough')
    await assertSound(page, 'docdb-server', ['light, desktop', 'dark, phone'])
    await page.getByRole('button', { name: 'Delete shop@shop' }).click()
    await dialog.getByRole('button', { name: 'Delete it' }).click()
    await page.getByText('No accounts').waitFor()

    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await dialog.getByRole('button', { name: 'Stop it' }).click()
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByText('The document server is running.').waitFor()
    assert.equal(service.isActive, true)
    assert.deepEqual(complaints, [])
  })
})
