import { type Account, accountComment, lastUserUid } from '../../host/accounts.ts'
import type { Databases } from '../databases/index.ts'
import { noPassword, type UserRow, userRow, type Users } from '../users/index.ts'
import type { LoadedWebsite, Websites } from '../websites/index.ts'
import type { Manifests } from './context.ts'

/** A user that the change is about to create, or to give a Linux account. */
type Person = Pick<UserRow, 'id' | 'email' | 'fullname'> & { readonly username: string | undefined }

/**
 * The areas as they will be once the objects that were decided so far exist: the owner of a website, and the website of
 * a database, may be created by the same change.
 */
export interface Planned {
  readonly users: Users
  readonly websites: Websites
  readonly databases: Databases
  /** Websites that are created, by domain. */
  readonly sites: Map<string, LoadedWebsite>
  /** Chooses the uid of the next account; call it before an account is decided. */
  chooseUid(): Promise<void>
  addPerson(person: Person, now: Date): void
  /** Counts a superuser who is suspended or demoted. */
  addLostSuperuser(): void
}

interface State {
  readonly people: Map<string, UserRow>
  readonly accounts: Map<string, Account>
  readonly sites: Map<string, LoadedWebsite>
  nextUid: number | undefined
  lost: number
}

/** Opens the view on the areas. Its steps are those of the areas themselves. */
export function openPlanned(on: Manifests): Planned {
  const sites = new Map<string, LoadedWebsite>()
  const state: State = { people: new Map(), accounts: new Map(), sites, nextUid: undefined, lost: 0 }
  const users = usersWith(on.users, state)
  const websites = { ...websitesWith(on.websites, state), users }
  return {
    users,
    websites,
    databases: {
      ...on.databases,
      users,
      websites,
      queries: {
        ...on.databases.queries,
        usernameOf: async (userId) =>
          [...state.people.values()].find(({ id }) => id === userId)?.username ??
          (await on.databases.queries.usernameOf(userId)),
      },
    },
    sites,
    chooseUid: async () => {
      state.nextUid = await freeUid(on, state)
    },
    addPerson: ({ id, username, ...draft }, now) => {
      if (username === undefined) return
      const uid = state.nextUid ?? 0
      state.people.set(username, userRow({ ...draft, username }, id, now, noPassword))
      state.accounts.set(username, {
        ...{ username, uid, gid: uid, comment: accountComment },
        ...{ home: `/home/${username}`, shell: '/bin/bash' },
      })
    },
    addLostSuperuser: () => {
      state.lost += 1
    },
  }
}

/** A uid that neither an account nor a group has: `useradd` then makes a group with the same number. */
async function freeUid({ users, host }: Manifests, { accounts }: State): Promise<number> {
  const groups = ((await host.files.read('/etc/group')) ?? '').split('\n').map((line) => line.split(':')[2])
  const taken = new Set(groups)
  let uid =
    1 +
    Math.max(
      await users.accounts.highestUid(),
      await users.queries.highestUid(lastUserUid),
      ...[...accounts.values()].map((account) => account.uid),
    )
  while (taken.has(String(uid))) uid += 1
  return uid
}

function usersWith(users: Users, state: State): Users {
  const highest = (known: number) => (state.nextUid === undefined ? known : state.nextUid - 1)
  return {
    ...users,
    queries: {
      ...users.queries,
      byUsername: async (username) =>
        state.people.get(username) ?? (await users.queries.byUsername(username)),
      activeSuperusers: async () => (await users.queries.activeSuperusers()) - state.lost,
      highestUid: async (limit) => highest(await users.queries.highestUid(limit)),
    },
    accounts: {
      ...users.accounts,
      find: async (username) => state.accounts.get(username) ?? (await users.accounts.find(username)),
      highestUid: async () => highest(await users.accounts.highestUid()),
    },
  }
}

function websitesWith(websites: Websites, { sites }: State): Websites {
  const planned = () => [...sites.values()]
  return {
    ...websites,
    queries: {
      ...websites.queries,
      count: async () => (await websites.queries.count()) + sites.size,
      countOf: async (userId) =>
        (await websites.queries.countOf(userId)) +
        planned().filter(({ user_id }) => user_id === userId).length,
    },
  }
}
