import { integer, json, optional, ref, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { type RowOf, table } from '../../store/table.ts'
import { type UserLimits, UserLimits as Limits } from './model.ts'

/** A named set of limits. */
export const limitPackages = table('limit_packages', { name: text(64, { key: true }), limits: json(Limits) })

/** The limits of a user; those of the package where there is one. A user without a row has none. */
export const userLimits = table('user_limits', {
  user_id: ref('users', { key: true }),
  package: optional(text(64)),
  limits: json(Limits),
})

/** The size of a home as it was measured last. Written outside changes. */
export const homeSizes = table(
  'home_sizes',
  { user_id: ref('users', { key: true }), bytes: integer(), measured_at: time() },
  { notUndone: { left: 'a measurement is no change', unchecked: ['bytes', 'measured_at'] } },
)

declare module '../../store/tables.ts' {
  interface Tables {
    readonly limit_packages: RowOf<typeof limitPackages>
    readonly user_limits: RowOf<typeof userLimits>
    readonly home_sizes: RowOf<typeof homeSizes>
  }
}

/** A hosting user with limits of their own, or those of a package. */
export interface LimitedUser {
  readonly user_id: number
  readonly username: string
  readonly package: string | null
  readonly own: UserLimits | null
  readonly bytes: number | null
  readonly measured_at: string | null
}

/** Returns this area's queries. */
export function limitQueries(store: Store) {
  const { db } = store
  const hostingUsers = () =>
    db
      .selectFrom('users')
      .leftJoin('user_limits', 'user_limits.user_id', 'users.id')
      .leftJoin('home_sizes', 'home_sizes.user_id', 'users.id')
      .select(['users.id as user_id', 'users.username', 'user_limits.package', 'user_limits.limits'])
      .select(['home_sizes.bytes', 'home_sizes.measured_at'])
      .where('users.username', 'is not', null)
      .orderBy('users.username')
  const shown = (rows: Awaited<ReturnType<ReturnType<typeof hostingUsers>['execute']>>): LimitedUser[] =>
    rows.map(({ limits, username, ...row }) => ({
      ...row,
      username: username ?? '',
      own: limits === null ? null : userLimits.columns.limits.decode(limits),
    }))
  return {
    packages: async (): Promise<ReadonlyMap<string, UserLimits>> => {
      const rows = await db.selectFrom('limit_packages').selectAll().orderBy('name').execute()
      return new Map(rows.map((row) => [row.name, limitPackages.show(row).limits]))
    },
    users: async () => shown(await hostingUsers().execute()),
    user: async (id: number) => shown(await hostingUsers().where('users.id', '=', id).execute())[0],
    /** Remembers the size of a home. */
    noteSize: (row: RowOf<typeof homeSizes>) =>
      store.transaction(async (tx) =>
        store.write(tx, [homeSizes.delete({ user_id: row.user_id }), homeSizes.insert(row)]),
      ),
  }
}

export type LimitQueries = ReturnType<typeof limitQueries>
