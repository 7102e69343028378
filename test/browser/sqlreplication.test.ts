import assert from 'node:assert/strict'
import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { scriptPackages, scriptSystemd } from '../../src/host/testing/scripted-host.ts'
import {
  type StandInMember,
  standInMember,
} from '../../src/tools/mariadb/replication/testing/stand-in-member.ts'
import { scriptMariadbd } from '../../src/tools/mariadb/testing/scripted-mariadbd.ts'
import { openTestPanel, type TestPanel } from '../support/panel.ts'
import { until } from '../support/until.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

/** Opens the page of the replication of a server, signed in; `prepare` gives the server its role. */
async function openReplication(
  t: TestContext,
  member: StandInMember,
  prepare: (panel: TestPanel) => Promise<unknown> = async () => {},
) {
  const services = new Map([
    ['mariadb', { isActive: true, isEnabled: true }],
    ['nginx', { isActive: true, isEnabled: true }],
  ])
  const panel: TestPanel = await openTestPanel({
    scripts: [
      scriptMariadbd(member.server, () => panel.root),
      scriptPackages(new Map([['mariadb-server', '1:10.11.14-0+deb12u2']])),
      scriptSystemd(services),
    ],
    mariadb: { connection: member.connection },
    accounts: new Map([['mysql', { uid: process.getuid?.() ?? 0 }]]),
  })
  t.after(() => panel.close())
  mkdirSync(`${panel.root}/etc/mysql/mariadb.conf.d`, { recursive: true })
  for (const folder of ['', '/etc', '/etc/mysql']) chmodSync(`${panel.root}${folder}`, 0o755)
  await panel.host.services.act('mariadb', 'restart')
  await prepare(panel)
  await panel.start()
  const web = await serveWithPages(panel, `${dirname(entry)}/web`)
  t.after(() => web.close())
  const browser = await openBrowser()
  t.after(() => browser.close())
  const { page, complaints } = await openPage(browser)
  await signIn({ baseUrl: web.baseUrl, page }, panel.admin)
  await page.goto(`${web.baseUrl}/sqldb/replication`)
  const dialog = page.getByRole('dialog').last()
  const confirm = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
  return {
    ...{ page, complaints, dialog, confirm },
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    /** Closes a dialog with a secret without copying that. */
    dismiss: async () => {
      await page.keyboard.press('Escape')
      await confirm('Close without copying')
    },
    state: page.getByRole('status', { name: 'State of the replication' }),
    servers: page.getByRole('list', { name: 'Servers of the replication' }),
  }
}

/** Gives a server the role of a replica, as connecting to a primary does. */
const followDb1 = ({ store }: TestPanel) =>
  store.db
    .insertInto('sql_replication')
    .values({
      ...{ id: 1, url: 'https://db1.example.com:2087', pin: '', host: 'db1.example.com' },
      ...{ port: 3306, username: 'hostreeve_replica_1', certificate: 'pem', revision: 1 },
      ...{ sealed_key: store.seal('hrs_key'), sealed_password: store.seal('secret') },
      role: 'replica',
      created_at: new Date().toISOString(),
    })
    .execute()

describe('the replication of the SQL server in a browser', () => {
  test('a server becomes a primary, and shows who follows it', async (t) => {
    const member = standInMember()
    const { page, complaints, dialog, button, confirm, dismiss, servers } = await openReplication(t, member)
    await button('Make it a primary').focus()
    await page.keyboard.press('Enter')
    await confirm('Make it a primary')
    await page.getByRole('dialog', { name: 'Sync key' }).waitFor()
    await dismiss()
    await servers.getByText('This server', { exact: true }).waitFor()
    assert.equal(member.server.variables.get('log_bin'), 'ON')

    await button('Add a replica by hand').click()
    await dialog.getByLabel('Name').fill('db2')
    await confirm('Review changes')
    await confirm('Add')
    await page.getByRole('dialog', { name: 'Password of hostreeve_replica_1' }).waitFor()
    await dismiss()
    const connecting = page.getByRole('dialog', { name: 'Connect db2' })
    await connecting.getByText(/^It connects to port 3306 of this host as hostreeve_replica_1/).waitFor()
    await connecting.getByText(/BEGIN CERTIFICATE/).waitFor()
    await assertSound(page, 'a replica by hand', ['light, desktop', 'dark, phone'])
    await connecting.getByRole('button', { name: 'Done' }).click()
    await servers.getByText('Replica · not connected').waitFor()
    member.followers = ['hostreeve_replica_1']
    await servers.getByText('Replica · from 192.0.2.12 · was sent every change').waitFor()
    await until(() => member.beats > 0)
    await assertSound(page, 'a primary', ['light, desktop', 'dark, phone'])

    await button('Remove db2').click()
    await confirm('Remove')
    await page.getByText('No replicas yet').waitFor()
    assert.deepEqual([...member.replica.accounts], [])
    assert.deepEqual(complaints, [])
  })

  test('a replica shows its lag, what it stopped at and what mends it', async (t) => {
    const member = standInMember({ host: 'db1.example.com', port: 3306, user: 'hostreeve_replica_1' })
    member.lagMs = 4500
    member.failure = {
      number: 1062,
      message: "Duplicate entry '5' for key 'PRIMARY'",
      statement: "insert into shop.items values (5, 'lost')",
    }
    const { page, complaints, dialog, button, confirm, state, servers } = await openReplication(
      t,
      member,
      followDb1,
    )
    await state.getByText('Broken', { exact: true }).waitFor()
    await servers.getByText('db1.example.com:3306').waitFor()
    await servers.getByText(/^Replica · server id 21 · [34] s behind$/).waitFor()
    await page.getByText(/Measured by the time that the panel of the primary writes/).waitFor()
    await page.getByRole('img', { name: /^Lag in the last hour: Behind: [34] s now/ }).waitFor()
    const error = page.getByRole('region', { name: 'Error 1062' })
    await error.getByText(/the row exists already/).waitFor()
    await error.getByText("insert into shop.items values (5, 'lost')").waitFor()
    await error.getByRole('button', { name: 'Synchronise again' }).waitFor()
    await assertSound(page, 'a replica that stopped', ['light, desktop', 'dark, phone'])

    await error.getByRole('button', { name: 'Leave out this change' }).click()
    await dialog
      .getByText(/'lost'/)
      .first()
      .waitFor()
    await confirm('Leave it out')
    await state.getByText('Running', { exact: true }).waitFor()
    await settles(() => error.count(), 0)
    member.lagMs = undefined
    await page.getByText(/Told by MariaDB \(Seconds_Behind_Master\)/).waitFor()

    await page
      .getByRole('region', { name: 'Replica', exact: true })
      .getByRole('button', { name: 'Stop' })
      .click()
    await confirm('Stop')
    await state.getByText('Stopped', { exact: true }).waitFor()
    assert.equal(member.replica.isStarted, false)
    await button('End the replication').waitFor()

    member.failure = { number: 1593, message: 'Fatal error: equal server ids', statement: '' }
    member.replica.place = 1
    const refused = page.getByRole('region', { name: 'Error 1593' })
    await refused.getByText('Both servers have the same server id.').waitFor()
    await refused.getByRole('button', { name: 'End the replication here' }).click()
    await confirm('End it')
    await button('Connect to a primary').waitFor()
    assert.deepEqual([member.replica.primary, member.beats], [null, 0])
    assert.deepEqual(complaints, [])
  })
})
