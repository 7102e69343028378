import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import { Problem } from '../../core/problem.ts'
import { insertRow } from '../../store/rows.ts'
import { assertBackedUp } from './backed-up.ts'
import type { Context } from './context.ts'
import { DatabaseApart } from './problems.ts'

let panel: TestPanel
let ada: Person
before(async () => {
  panel = await openTestPanel({ hasNginx: true, accounts: new Map([['ada', { uid: 1001 }]]) })
  ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
})
after(() => panel.close())

const addDatabase = async (name: string, website_id: number | null, engine: 'mariadb' | 'postgresql') => {
  const at = new Date().toISOString()
  const row = { id: panel.store.nextId('databases'), name, website_id, engine, user_id: ada.id }
  const written = insertRow('databases', { ...row, created_at: at, updated_at: at, revision: 1 })
  await panel.store.transaction((tx) => panel.store.write(tx, [written]))
}

test('a WordPress is altered only if its database is in the backups of its website', async () => {
  const route = panel.routes.find(({ area }) => area.name === 'wordpress')
  const { backups } = (route!.context as Context).wordpress
  const add = async (domain: string) => ({ id: await addWebsite(panel, { domain, userId: ada.id }), domain })
  const [site, other] = [await add('a.example.com'), await add('b.example.com')]
  await addDatabase('ada_own', site.id, 'mariadb')
  await addDatabase('ada_other', other.id, 'mariadb')
  await addDatabase('ada_apart', null, 'mariadb')
  await addDatabase('ada_elsewhere', site.id, 'postgresql')
  await assertBackedUp(backups, site, 'ada_own')
  for (const name of ['ada_other', 'ada_apart', 'ada_elsewhere', 'ada_unknown'])
    await assert.rejects(assertBackedUp(backups, site, name), (error) => {
      assert.ok(error instanceof Problem && error.kind === DatabaseApart, String(error))
      assert.match(error.message, new RegExp(`a\\.example\\.com names the database ${name}, .*associate it`))
      return true
    })
})
