import Type from 'typebox'
import { at, local } from '../../core/endpoint.ts'
import { signedIn } from '../../core/guard.ts'
import { permissions, permissionSlugs } from '../../core/permissions.ts'
import { Forbidden, NotFound } from '../../core/problem.ts'
import { awaited, created, data, flat, list, succeeded } from '../../core/reply.ts'
import { ServiceFailed } from '../../host/services.ts'
import { notTaken } from '../../tools/nginx/index.ts'
import { PasswordFailed, SessionsFailed, SshdRefused } from '../../tools/openssh/index.ts'
import { SudoFailed } from '../../tools/sudo/index.ts'
import { AccountFailed, UsernameInvalid, UsernameTaken as AccountTaken } from '../../host/accounts.ts'
import { inState, Optional, SuspensionState } from '../../core/schemas.ts'
import { endpoint } from './context.ts'
import { deleting } from './delete-user.ts'
import { deletionRefused } from './failures.ts'
import {
  ConfigsWritten,
  ExistingUserDraft,
  PermissionSlugEntry,
  Slugs,
  SudoDraft,
  SudoPath,
  SudoRights,
  User,
  UserDeletion,
  UserDraft,
  UserEdit,
  UserPath,
  Webapp,
} from './model.ts'
import {
  AccessUnsuitable,
  AccountUnsuitable,
  AccountFixed,
  EmailTaken,
  LastSuperuser,
  Oneself,
  OwnPassword,
  UsernameTaken,
} from './problems.ts'
import { showUser } from './store.ts'
import * as existing from './register-existing.ts'
import * as sites from './owned-sites.ts'
import { onUser } from './on-user.ts'
import * as sudo from './sudo.ts'
import * as people from './users.ts'

export * from './key-endpoints.ts'

export const listUsers = endpoint({
  method: 'GET',
  path: '',
  summary: 'List users',
  effect: 'reads',
  query: Type.Object({ state: Optional(SuspensionState) }),
  reply: list(User, {
    sort: ['email', 'fullname', 'created_at', 'id'],
    search: ['email', 'fullname', 'username'],
  }),
  run: async ({ query, users }) => {
    const page = await users.queries.page(query, inState(query.state))
    return { items: page.items.map(showUser), total: page.total }
  },
})

export const createUser = endpoint({
  method: 'POST',
  path: '',
  summary: 'Create a user',
  description: 'With a Linux account when a user name is given.',
  effect: 'changes',
  changesAccess: true,
  category: 'users',
  body: UserDraft,
  reply: created(User),
  throws: {
    bad_request: [EmailTaken, UsernameTaken, UsernameInvalid, AccountTaken],
    account_failed: AccountFailed,
  },
  run: ({ users, body, ...request }) => people.createUser(users, body, request),
})

export const registerExisting = endpoint({
  method: 'POST',
  path: '/register-existing',
  summary: 'Create a user who owns a Linux account that the host has already',
  description:
    'The account has a uid of 1000 or above, and a home that is its own directory outside the system. The web server is let into the home; nothing else in it is changed. An account with sudo or further groups is registered by a superuser only.',
  effect: 'changes',
  changesAccess: true,
  category: 'users',
  body: ExistingUserDraft,
  reply: created(User),
  throws: {
    bad_request: [EmailTaken, UsernameTaken, AccountUnsuitable],
    account_failed: AccountFailed,
  },
  run: ({ users, body, ...request }) => existing.registerExisting(users, body, request),
})

export const listPermissionSlugs = endpoint({
  method: 'GET',
  path: '/permission-slugs',
  summary: 'List the permissions that can be granted',
  effect: 'reads',
  reply: data(Type.Array(PermissionSlugEntry, { maxItems: 100 })),
  run: () => permissionSlugs.map((slug) => ({ slug, title: permissions[slug] })),
})

export const getUser = onUser({
  method: 'GET',
  path: '/{uid}',
  summary: 'Read a user',
  effect: 'reads',
  reply: data(User),
  run: ({ target }) => showUser(target),
})

export const editUser = onUser({
  method: 'PATCH',
  path: '/{uid}',
  summary:
    'Change, suspend or unsuspend a user, reset the password, add a Linux account, or set SSH and SFTP',
  description:
    'A reset password ends all sessions of the user; API keys stay valid. A suspended user cannot sign in over SSH either; sessions over SSH and SFTP end when sftp, shell or sftp_password change. Your own password is changed with `POST /api/auth/password`.',
  effect: 'changes',
  changesAccess: true,
  category: 'users',
  body: UserEdit,
  reply: succeeded,
  throws: {
    bad_request: [
      EmailTaken,
      LastSuperuser,
      OwnPassword,
      AccountFixed,
      UsernameTaken,
      UsernameInvalid,
      AccountTaken,
      AccessUnsuitable,
    ],
    account_failed: AccountFailed,
    sshd_refused: at(500, SshdRefused),
    sessions_failed: at(500, SessionsFailed),
    password_failed: at(500, PasswordFailed),
    service_failed: at(500, ServiceFailed),
  },
  run: ({ users, target, body, ...request }) => people.editUser(users, target, body, request),
})

export const deleteUser = onUser({
  method: 'DELETE',
  path: '/{uid}',
  summary: 'Delete a user',
  description:
    'The plan (`?plan=1`) lists everything that belongs to the user and what happens to it. `files=keep` locks the Linux account, `archive` packs its home into an archive that only root can read and removes the account, `remove` removes both. Websites of the user are deleted in each case, sessions and API keys end at once. Databases stay without an owner and without users, or are removed with `databases=remove`.',
  effect: 'destroys',
  action: 'user_deleted',
  category: 'users',
  query: UserDeletion,
  reply: awaited(deleting, { status: 200, shape: 'data' }),
  throws: {
    bad_request: [Oneself, LastSuperuser],
    delete_failed: at(500, ...deletionRefused),
  },
  run: ({ params, query }) => ({ uid: params.uid, ...query }),
})

export const getPermissions = endpoint({
  method: 'GET',
  path: '/{uid}/permissions',
  summary: 'List the permissions of a user',
  description: 'For oneself, or with booting_users_management.',
  effect: 'reads',
  guard: signedIn,
  params: UserPath,
  reply: data(Slugs),
  target: ({ params, caller, users }) => {
    const isOwn = caller.user.id === params.uid
    if (!isOwn && !caller.user.isAdmin && !caller.permissions.has('booting_users_management'))
      throw Forbidden('You may read your own permissions only')
    return users.queries.load(params.uid)
  },
  run: async ({ target, users }) => [
    ...(target.is_admin === 1 ? permissionSlugs : await users.queries.permissionsOf(target.id)),
  ],
})

export const setPermissions = onUser({
  method: 'POST',
  path: '/{uid}/permissions',
  summary: 'Replace the permissions of a user',
  effect: 'changes',
  changesAccess: true,
  category: 'users',
  body: Type.Object({ permissions: Slugs }),
  reply: succeeded,
  run: ({ users, target, body, ...request }) =>
    people.setPermissions(users, target, body.permissions, request),
})

export const readSudo = endpoint({
  method: 'GET',
  path: '/{uid}/sudo',
  summary: 'Read whether a user, or a Linux account by its name, has passwordless sudo',
  effect: 'reads',
  params: SudoPath,
  reply: data(SudoRights),
  throws: { not_found: NotFound },
  target: ({ params, users }) => sudo.accountNamed(users, params.uid),
  run: ({ target, users }) => sudo.readSudo(users, target),
})

export const setSudo = endpoint({
  method: 'POST',
  path: '/{uid}/sudo',
  summary: 'Switch passwordless sudo of a Linux account on or off',
  description: 'The account is the one of the body. Only a superuser switches it on.',
  effect: 'changes',
  changesAccess: true,
  category: local('names an account of this host'),
  params: UserPath,
  body: SudoDraft,
  reply: succeeded,
  throws: { not_found: NotFound, write_failed: at(500, SudoFailed) },
  target: ({ users, body, caller }) => sudo.settableAccount(users, body, caller),
  run: ({ users, target, body }) => sudo.setSudo(users, target, body.sudo),
})

export const listWebapps = onUser({
  method: 'GET',
  path: '/{uid}/webapps',
  summary: 'List the websites of a user',
  effect: 'reads',
  reply: data(Type.Array(Webapp, { maxItems: 100_000 })),
  run: ({ target, users }) => sites.listWebapps(users, target),
})

export const rewriteConfigs = onUser({
  method: 'POST',
  path: '/{uid}/rewrite-configs',
  summary: 'Write the web server files of a user’s websites again, as from the store; edits by hand stay',
  effect: 'changes',
  category: local('renders the files of this host'),
  reply: flat(ConfigsWritten),
  timeoutMs: 300_000,
  throws: { rewrite_error: at(500, ...notTaken, ServiceFailed) },
  run: ({ target, users }) => sites.rewriteConfigs(users, target),
})
