import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from '../../src/host/apply/steps.ts'
import { connect } from '../../src/host/connect/index.ts'
import { openFiles } from '../../src/host/files.ts'
import { scriptPackages } from '../../src/host/testing/scripted-host.ts'
import { startMariadb } from '../../src/host/testing/scratch-mariadb.ts'
import { standInMongodb } from '../../src/tools/mongodb/testing/stand-in.ts'
import { startPostgresql } from '../../src/tools/postgresql/testing/scratch-postgresql.ts'
import { openTestPanel } from '../support/panel.ts'
import { addWebsite } from '../support/websites.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

test(
  'an owner creates, copies and deletes databases, and resets a password',
  { timeout: 300_000 },
  async (t) => {
    const server = await startMariadb()
    t.after(() => server.stop())
    const postgresql = await startPostgresql()
    t.after(() => postgresql.stop())
    const panel = await openTestPanel({
      accounts: new Map([['ada', { uid: 1001 }]]),
      scripts: [
        scriptPackages(
          new Map([
            ['mariadb-server', '1:10.11.14-0+deb12u2'],
            ['postgresql', '15+248'],
            ['mongodb-org-server', '8.0.4'],
          ]),
        ),
      ],
      programs: ['mariadb', 'mariadb-dump'],
      postgresql: { place: postgresql.place, files: openFiles('/') },
      mongodb: { connection: standInMongodb().connection },
      mariadb: {
        connection: connect.sql(server.target),
        socketPath: 'socketPath' in server.target.at ? server.target.at.socketPath : '',
      },
    })
    t.after(() => panel.close())
    mkdirSync(`${panel.root}/root`)
    await panel.start()
    const ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    for (const domain of ['ada.test', 'other.test']) await addWebsite(panel, { domain, userId: ada.id })
    const web = await serveWithPages(panel, `${dirname(entry)}/web`)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    const dialog = page.getByRole('dialog')
    const confirm = (name: string) => dialog.last().getByRole('button', { name, exact: true }).click()
    await signIn({ baseUrl: web.baseUrl, page }, ada)

    await page.goto(`${web.baseUrl}/databases`)
    await page.getByText('No databases yet').waitFor()
    await page.getByRole('button', { name: 'New database' }).first().click()
    await dialog.getByLabel('Website').selectOption('ada.test')
    await dialog.getByLabel(/^Name/).fill('shop')
    await dialog.getByLabel(/^User/).fill('app')
    await dialog.getByLabel('Password of the user').fill('correct horse battery')
    await assertSound(page, 'a new database')
    await dialog.getByRole('button', { name: 'Review changes' }).click()
    await page.getByText('Create the database ada_shop in MariaDB').waitFor()
    await confirm('Create the database')
    await page.getByRole('link', { name: 'ada.test' }).click()
    await page.getByText('Programs on this host connect to localhost').waitFor()
    await assertSound(page, 'the databases of a website')

    await page.getByRole('button', { name: 'Users of ada_shop' }).click()
    await dialog.getByText('localhost').waitFor()
    await dialog.getByRole('button', { name: 'Reset password of ada_app' }).click()
    await confirm('Reset the password')
    const password = (await dialog.last().getByLabel('password', { exact: true }).first().textContent()) ?? ''
    const own = connect.sql({ ...server.target, user: 'ada_app', password: () => password })
    await own.run(sql`create table ada_shop.orders (id int)`)
    await dialog.last().getByRole('button', { name: 'Close' }).first().click()
    await dialog.getByRole('button', { name: 'Close without copying' }).click()
    await dialog.getByRole('button', { name: 'Add a user' }).click()
    await dialog.last().getByLabel(/^User/).fill('reports')
    await dialog
      .last()
      .getByLabel(/^Password/)
      .fill('another password')
    await dialog.last().getByLabel('Connects from').fill('%')
    await dialog.last().getByRole('button', { name: 'Review changes' }).click()
    await confirm('Add the user')
    await dialog.getByText('any host').waitFor()
    await assertSound(page, 'the users of a database')
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()

    await page.getByRole('button', { name: 'Duplicate ada_shop' }).click()
    await dialog.getByLabel(/^Name/).fill('staging')
    await dialog.getByLabel(/^User/).fill('stager')
    await dialog.getByLabel('Password of the user').fill('a third password')
    await dialog.getByRole('button', { name: 'Review changes' }).click()
    await confirm('Duplicate')
    await page.getByRole('cell', { name: /^ada_staging/ }).waitFor()
    await page.getByRole('button', { name: 'Delete ada_staging' }).click()
    await dialog.getByText('Remove the database ada_staging from MariaDB').waitFor()
    await confirm('Delete the database')
    await page.getByRole('cell', { name: /^ada_staging/ }).waitFor({ state: 'detached' })

    await page.goto(`${web.baseUrl}/databases`)
    await page.getByRole('button', { name: 'New database' }).first().click()
    await dialog.getByLabel('Website').selectOption('ada.test')
    await dialog.getByLabel('Server').selectOption('PostgreSQL')
    await dialog.getByLabel(/^Name/).fill('maps')
    await dialog.getByLabel(/^User/).fill('mapper')
    await dialog.getByLabel('Password of the user').fill('a fourth password')
    await dialog.getByRole('button', { name: 'Review changes' }).click()
    await page.getByText('Create the database ada_maps in PostgreSQL').waitFor()
    await confirm('Create the database')
    await page.getByRole('cell', { name: /^ada_maps/ }).waitFor()
    await page.getByRole('radiogroup', { name: 'Server' }).getByText('PostgreSQL').click()
    await page.getByRole('cell', { name: /^ada_shop/ }).waitFor({ state: 'detached' })
    await settles(() => page.getByRole('button', { name: 'Duplicate ada_maps' }).isDisabled(), true)
    await assertSound(page, 'the databases on PostgreSQL')
    await page.getByRole('button', { name: 'Delete ada_maps' }).click()
    await dialog.getByText('Remove the database ada_maps from PostgreSQL').waitFor()
    await confirm('Delete the database')
    await page.getByText('No databases yet').waitFor()

    await page.getByRole('radiogroup', { name: 'Server' }).getByText('MongoDB').click()
    await page.getByRole('button', { name: 'New database' }).first().click()
    await dialog.getByLabel('Website').selectOption('ada.test')
    await dialog.getByLabel('Server').selectOption('MongoDB')
    await dialog.getByLabel(/^Name/).fill('notes')
    await dialog.getByLabel(/^User/).fill('writer')
    await dialog.getByLabel('Password of the user').fill('a fifth password')
    await dialog.getByRole('button', { name: 'Review changes' }).click()
    await page.getByText('Create the account ada_writer of the database ada_notes in MongoDB').waitFor()
    await confirm('Create the database')
    await page.getByRole('cell', { name: /^ada_notes/ }).waitFor()
    await assertSound(page, 'the databases on MongoDB')
    await page.getByRole('button', { name: 'Export ada_notes' }).click()
    await dialog.getByText('Writes a compressed archive of mongodump').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Delete ada_notes' }).click()
    await dialog.getByText('Remove the database ada_notes from MongoDB').waitFor()
    await confirm('Delete the database')
    await page.getByText('No databases yet').waitFor()
    const left = await connect.sql(server.target).run(sql`show databases like 'ada%'`)
    assert.deepEqual(
      left.map((row) => Object.values(row)[0]),
      ['ada_shop'],
    )
    assert.deepEqual(complaints, [])
  },
)
