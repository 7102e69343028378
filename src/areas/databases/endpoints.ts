import { at, type Deciding } from '../../core/endpoint.ts'
import { awaited, created, data, list, succeeded } from '../../core/reply.ts'
import { OneOf, Optional } from '../../core/schemas.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { DiskFull } from '../../host/files.ts'
import { CopyFailed, DatabaseExists } from '../../tools/mariadb/index.ts'
import { loadWebsite, WebsitePath } from '../websites/index.ts'
import { type Context, endpoint } from './context.ts'
import * as verbs from './databases.ts'
import { notCreated } from './not-created.ts'
import { draftCopy, duplicating } from './duplicate.ts'
import {
  Database,
  DatabaseCopyDraft,
  DatabaseDraft,
  DatabaseHost,
  DatabasePath,
  DatabaseUser,
  DatabaseUserDraft,
  DatabaseUserPath,
  DatabaseUsers,
  engineNames,
  FiledDatabaseDraft,
  NewDatabasePassword,
  PasswordReset,
} from './model.ts'
import { CopyingAlready, HostInvalid, NameInvalid, NameTaken, NotCopied } from './problems.ts'
import * as show from './show.ts'
import * as users from './users.ts'

const { NotAnswering, SqlRefused } = connectProblems
const refused = [SqlRefused, NotAnswering]

interface Named {
  readonly params: { readonly id: number }
}
type Loading = Pick<Deciding, 'caller'> & Context & Named

const loadDatabase = ({ params, caller, databases }: Loading) => databases.queries.loadFor(caller, params.id)

const onDatabase = endpoint.with({ params: DatabasePath, target: loadDatabase })
const onUser = endpoint.with({ params: DatabaseUserPath, target: loadDatabase })

const ofWebsite = endpoint.with({
  base: '/websites',
  params: WebsitePath,
  target: ({ params, caller, databases: { websites } }: Loading) => loadWebsite(websites, params.id, caller),
})

const listed = list(Database, {
  sort: ['name', 'created_at', 'id'],
  search: ['name'],
  filter: { engine: Optional(OneOf(engineNames, { description: 'Only those of this server' })) },
})

export const listDatabasesOfWebsite = ofWebsite({
  method: 'GET',
  path: '/{id}/databases',
  summary: 'List the databases of a website, with their size and users',
  effect: 'reads',
  reply: listed,
  run: ({ target, query, caller, databases: on }) =>
    show.listDatabases(on, query, caller, { website_id: target.id, ...show.ofEngine(query) }),
})

export const createDatabaseOfWebsite = ofWebsite({
  method: 'POST',
  path: '/{id}/databases',
  summary: 'Create a database of a website, with a user who has all rights on it',
  effect: 'changes',
  changesAccess: true,
  category: 'databases',
  body: DatabaseDraft,
  reply: created(Database),
  throws: notCreated,
  run: ({ target, body, databases: on, ...request }) => verbs.createDatabase(on, target, body, request),
})

export const listDatabases = endpoint({
  method: 'GET',
  path: '',
  summary: 'List databases: your own, or all for a superuser',
  effect: 'reads',
  reply: listed,
  run: ({ query, caller, databases: on }) => show.listDatabases(on, query, caller, show.ofEngine(query)),
})

export const createDatabase = endpoint({
  method: 'POST',
  path: '',
  summary: 'Create a database of a website, with a user who has all rights on it',
  effect: 'changes',
  changesAccess: true,
  category: 'databases',
  body: FiledDatabaseDraft,
  target: ({ body, caller, databases: { websites } }) => loadWebsite(websites, body.website_id, caller),
  reply: created(Database),
  throws: notCreated,
  run: ({ target, body, databases: on, ...request }) => verbs.createDatabase(on, target, body, request),
})

export const readDatabaseHost = endpoint({
  method: 'GET',
  path: '/mysql-host',
  summary: 'Read where programs of this host reach the SQL server',
  effect: 'reads',
  reply: data(DatabaseHost),
  throws: { program_unreachable: at(503, NotAnswering, SqlRefused) },
  run: ({ databases: on }) => show.readHost(on),
})

export const deleteDatabase = onDatabase({
  method: 'DELETE',
  path: '/{id}',
  summary: 'Delete a database with all its tables and users',
  effect: 'destroys',
  category: 'databases',
  reply: succeeded,
  throws: { delete_failed: at(500, ...refused) },
  run: ({ target, databases: on }) => verbs.deleteDatabase(on, target),
})

export const duplicateDatabase = onDatabase({
  method: 'POST',
  path: '/{id}/duplicate',
  summary: 'Copy a database to a new one, with a user who has all rights on it',
  description:
    'The copy has the tables, views, routines, triggers and events as they were at one moment. Views and routines belong to the new user. A copy that fails is removed.',
  effect: 'changes',
  changesAccess: true,
  category: 'databases',
  body: DatabaseCopyDraft,
  reply: awaited(duplicating, { status: 201, shape: 'data' }),
  throws: {
    bad_request: [NameInvalid, NotCopied],
    conflict: [NameTaken, DatabaseExists, CopyingAlready],
    duplicate_failed: at(500, CopyFailed, DiskFull, ...refused),
  },
  run: ({ target, body, id }) => draftCopy(target, body, id),
})

export const listDatabaseUsers = onDatabase({
  method: 'GET',
  path: '/{id}/users',
  summary: 'List the users of a database',
  effect: 'reads',
  reply: data(DatabaseUsers),
  run: ({ target, databases: on }) => users.listUsers(on, target),
})

export const addDatabaseUser = onDatabase({
  method: 'POST',
  path: '/{id}/users',
  summary: 'Add a user who has all rights on a database and on no other',
  effect: 'changes',
  changesAccess: true,
  category: 'databases',
  body: DatabaseUserDraft,
  reply: created(DatabaseUser),
  throws: {
    bad_request: [NameInvalid, HostInvalid],
    conflict: NameTaken,
    create_failed: at(500, ...refused),
  },
  run: ({ target, body, databases: on }) => users.addUser(on, target, body),
})

export const removeDatabaseUser = onUser({
  method: 'DELETE',
  path: '/{id}/users/{username}',
  summary: 'Remove a user from a database',
  effect: 'destroys',
  changesAccess: true,
  category: 'databases',
  reply: succeeded,
  throws: { delete_failed: at(500, ...refused) },
  run: ({ target, params, databases: on }) => users.removeUser(on, target, params.username),
})

export const resetDatabasePassword = onUser({
  method: 'POST',
  path: '/{id}/users/{username}/reset-password',
  summary: 'Set the password of a database user, a random one unless one is given',
  effect: 'changes',
  changesAccess: true,
  category: 'databases',
  body: PasswordReset,
  reply: data(NewDatabasePassword),
  throws: { reset_failed: at(500, ...refused) },
  run: ({ target, params, body, databases: on }) => users.resetPassword(on, target, params.username, body),
})

export * from './dump-endpoints.ts'
export * from './docdb-endpoints.ts'
export * from './sqlalt-endpoints.ts'
