import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { scriptPackages, scriptSystemd } from '../../src/host/testing/scripted-host.ts'
import { scriptMariadbd } from '../../src/tools/mariadb/testing/scripted-mariadbd.ts'
import { standInServer } from '../../src/tools/mariadb/testing/stand-in.ts'
import { openTestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))
const dropIn = '/etc/mysql/mariadb.conf.d/99-hostreeve.cnf'
const slowLog = `# User@Host: shop[shop] @ localhost []
# Thread_id: 31  Schema: shop  QC_hit: No
# Query_time: 2.000000  Lock_time: 0.000000  Rows_sent: 1  Rows_examined: 1000
SET timestamp=1795822801;
select * from items where secret = 'hunter2';
`

describe('the SQL server in a browser', () => {
  test('is watched, relieved of a connection, advised and set', async (t) => {
    const server = standInServer()
    const services = new Map([
      ['mariadb', { isActive: true, isEnabled: true }],
      ['nginx', { isActive: true, isEnabled: true }],
    ])
    const panel = await openTestPanel({
      scripts: [
        (argv) => (argv[0] === 'tail' ? { stdout: slowLog } : undefined),
        scriptMariadbd(server, () => panel.root),
        scriptPackages(new Map([['mariadb-server', '1:10.11.14-0+deb12u2']])),
        scriptSystemd(services),
      ],
      mariadb: { connection: server.connection },
      accounts: new Map([['mysql', { uid: 110 }]]),
    })
    t.after(() => panel.close())
    for (const folder of ['/etc/mysql/mariadb.conf.d', '/var/lib/mysql'])
      mkdirSync(`${panel.root}${folder}`, { recursive: true })
    writeFileSync(`${panel.root}/var/lib/mysql/web1-slow.log`, slowLog)
    await panel.host.services.act('mariadb', 'restart')
    server.counters = [{ at: 100, uptime: 50, questions: 10, threads_connected: 4 }]
    server.databases = [{ name: 'shop', size: 2048 }]
    server.processes = [
      { id: 4, user: 'shop', command: 'Sleep', time: 30 },
      { id: 5, user: 'shop', command: 'Query', time: 20, info: 'update items set n = 1', waitsFor: 4 },
    ]
    const web = await serveWithPages(panel, `${dirname(entry)}/web`)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    await signIn({ baseUrl: web.baseUrl, page }, panel.admin)

    await page.goto(`${web.baseUrl}/sqldb`)
    await page.getByRole('table', { name: 'Databases' }).getByText('2 KiB').waitFor()
    await page.getByRole('img', { name: /^Connections in the last five minutes: Open: 4 now/ }).waitFor()
    await assertSound(page, 'sqldb', ['light, desktop', 'dark, phone'])
    const tabs = page.getByRole('navigation', { name: 'Pages of the SQL server' })

    await tabs.getByRole('link', { name: 'Connections' }).click()
    await page.getByText('Waits for 4').waitFor()
    await page.getByRole('button', { name: 'End connection 4' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'End it' }).click()
    await settles(() => page.getByRole('button', { name: 'End connection 4' }).count(), 0)
    assert.deepEqual(
      server.processes.map(({ id }) => id),
      [5],
    )

    await tabs.getByRole('link', { name: 'Slow statements' }).click()
    await page.getByText('select * from items where secret = ?').waitFor()

    await tabs.getByRole('link', { name: 'Advice' }).click()
    await page.getByRole('button', { name: 'Apply slow_query_log' }).click()
    await dialog.getByText('+slow_query_log = ON').waitFor()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('The settings suit the load.').waitFor()
    assert.equal(await panel.host.files.read(dropIn), '[mysqld]\nslow_query_log = ON\n')

    await tabs.getByRole('link', { name: 'Settings' }).click()
    const field = page.getByLabel('Connections at a time')
    await field.fill('5')
    const form = page.locator('form').filter({ has: field })
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('must be a whole number from 10 to 100000').waitFor()
    await field.fill('300')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Connections: saved.').waitFor()
    assert.equal(server.variables.get('max_connections'), '300')
    await assertSound(page, 'sqldb-settings', ['light, desktop', 'dark, phone'])
    assert.deepEqual(complaints, [])
  })
})
