import { contribution } from '../../core/point.ts'
import { type Belongings, belongings, type Deletion } from '../users/index.ts'
import { siteParts } from '../websites/index.ts'
import type { Databases } from './context.ts'
import { type Removal, removal, removeAccounts } from './databases.ts'
import { engineOf } from './engines/index.ts'
import { databaseAccounts, type DatabaseRow, databases } from './store.ts'

/** Databases stay without their website, or are removed with it; they go with it to another owner. */
export const databasesOfWebsites = (on: Databases) =>
  contribution(siteParts, {
    deleted: async (site, fate) => {
      const found = await on.queries.ofWebsite(site.id)
      if (fate.databases === 'remove') return removed(on, found)
      return {
        details: found.map(({ name }) => `The database ${name} stays, with its users and without a website`),
        rows: found.map(({ id }) => databases.updateWhere({ id }, { website_id: null })),
      }
    },
    suspended: async () => [],
    moved: async (site, next) => {
      if (site.user_id === next.user_id) return {}
      const found = await on.queries.ofWebsite(site.id)
      return {
        details: found.map(
          ({ name }) =>
            `The database ${name} goes with the website and keeps its users, whose passwords the former owner knows: reset them`,
        ),
        rows: found.map(({ id }) => databases.updateWhere({ id }, { user_id: next.user_id })),
      }
    },
  })

/** The databases of a deleted user are removed, or stay for superusers alone: their users lose access in any case. */
export const databasesOfUsers = (on: Databases) =>
  contribution(belongings, async (deletion: Deletion): Promise<Belongings> => {
    const found = await on.queries.ofUser(deletion.user.id)
    if (deletion.databases === 'keep') return kept(on, found)
    const others = found.filter(({ website_id }) => website_id === null) // the rest is removed with its websites
    return deletion.databases === 'remove' ? removed(on, others) : kept(on, others)
  })

async function removed(on: Databases, found: readonly DatabaseRow[]): Promise<Belongings> {
  if (found.length === 0) return {}
  const removals = await Promise.all(found.map((row) => removalIn(on, row)))
  return {
    details: found.map(({ name }) => `The database ${name} is removed, with its users`),
    ...joined(removals),
  }
}

/** A server that was removed from the host has nothing to remove. */
async function removalIn(on: Databases, row: DatabaseRow): Promise<Removal> {
  const all = await removal(on, row)
  return (await isInstalled(on, row)) ? all : { ...all, steps: [] }
}

const joined = (removals: readonly Removal[]): Removal => ({
  locks: removals.flatMap(({ locks }) => locks),
  steps: removals.flatMap(({ steps }) => steps),
  rows: removals.flatMap(({ rows }) => rows),
})

async function kept(on: Databases, found: readonly DatabaseRow[]): Promise<Belongings> {
  const accounts = await on.queries.accountsOf(found.map(({ id }) => id))
  const installed = await Promise.all(found.map((row) => isInstalled(on, row)))
  const steps = found
    .filter((_row, at) => installed[at])
    .flatMap((row) =>
      removeAccounts(
        on,
        row,
        accounts.filter(({ database_id }) => database_id === row.id),
      ),
    )
  return {
    details: found.map(({ name }) => `The database ${name} stays, without an owner; its users are removed`),
    steps,
    rows: found.flatMap(({ id }) => [
      databaseAccounts.delete({ database_id: id }),
      databases.updateWhere({ id }, { user_id: null }),
    ]),
  }
}

const isInstalled = async (on: Databases, row: DatabaseRow): Promise<boolean> =>
  (await engineOf(on, row).detect()).present
