import type { TenantSamples } from '../../../../test/support/tenant-samples.ts'
import { databaseAccounts, databases } from '../store.ts'

/** A database of the owner's website, as the panel knows it. */
export const samples: TenantSamples = {
  params: async ({ store }, owner, { websites = {} }) => {
    const id = store.nextId('databases')
    const at = new Date().toISOString()
    const row = databases.row({
      ...{ id, engine: 'mariadb', name: 'ada_shop', user_id: owner.id, website_id: Number(websites['id']) },
      ...{ created_at: at, updated_at: at },
    })
    const account = { username: 'ada_app', host: 'localhost', database_id: id }
    await store.transaction((tx) =>
      store.write(tx, [databases.insert(row), databaseAccounts.insert(account)]),
    )
    return { id: String(id), username: 'ada_app' }
  },
  fields: { name: 'copy', username: 'copier', password: 'a password' },
}
