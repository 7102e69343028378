import { at, type Deciding } from '../../core/endpoint.ts'
import { permission } from '../../core/guard.ts'
import { bytes, created, data, followed, succeeded } from '../../core/reply.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { fetchProblems } from '../../host/fetch/index.ts'
import { ownerProblems } from '../../host/owner/index.ts'
import { CommandRefused } from '../../tools/mongodb/index.ts'
import { loadAnyWebsite, loadWebsite } from '../websites/index.ts'
import * as association from './association.ts'
import { type Context, endpoint } from './context.ts'
import * as verbs from './databases.ts'
import { openDump } from './download.ts'
import { DumpQuery, ExportBody, ExportEvent, ImportBody, ImportEvent } from './dump-model.ts'
import { exportEvent, exporting } from './export.ts'
import { draftImport, importEvent, importing } from './import.ts'
import {
  Association,
  Database,
  DatabasePath,
  DatabaseUser,
  DatabaseUserDraft,
  DatabaseUserPath,
  NameCheck,
  NameQuery,
  NewDatabasePassword,
  PasswordReset,
  UnassociatedDatabases,
} from './model.ts'
import {
  AlreadyAssociated,
  HostInvalid,
  NameInvalid,
  NameTaken,
  OutsideHome,
  UserMissing,
} from './problems.ts'
import * as users from './users.ts'

const { NotAnswering } = connectProblems
const { NoSuchFile, NotAFile, NotPermitted, PathInvalid } = ownerProblems
const refused = [CommandRefused, NotAnswering]
const engine = 'mongodb'

type Loading = Pick<Deciding, 'caller'> & Context & { readonly params: { readonly id: number } }

const loadDatabase = ({ params, caller, databases }: Loading) =>
  databases.queries.loadFor(caller, params.id, engine)

const onDatabase = endpoint.with({ params: DatabasePath, target: loadDatabase })
const onUser = endpoint.with({ params: DatabaseUserPath, target: loadDatabase })

export const checkDocdbName = endpoint({
  method: 'GET',
  path: '/docdb/check-name',
  summary: 'Tell whether a name is free for a database of a website on MongoDB',
  effect: 'reads',
  query: NameQuery,
  target: ({ query, caller, databases: { websites } }) => loadWebsite(websites, query.website_id, caller),
  reply: data(NameCheck),
  throws: { program_unreachable: at(503, ...refused) },
  run: ({ target, query, databases: on }) => association.checkName(on, target, { engine, name: query.name }),
})

export const listUnassociatedDocdbDatabases = endpoint({
  method: 'GET',
  path: '/docdb/admin/unassociated',
  guard: permission('administrative_operations'),
  summary: 'List the databases of MongoDB that are of no website',
  effect: 'reads',
  reply: data(UnassociatedDatabases),
  throws: { program_unreachable: at(503, ...refused) },
  run: ({ databases: on }) => association.listUnassociated(on, engine),
})

export const associateDocdbDatabase = endpoint({
  method: 'POST',
  path: '/docdb/admin/associate',
  guard: permission('administrative_operations'),
  summary: 'File a database that MongoDB has under a website',
  description: 'Accounts that it has already stay as they are, and users can be added.',
  effect: 'changes',
  changesAccess: true,
  category: 'databases',
  body: Association,
  target: ({ body, databases: { websites } }) => loadAnyWebsite(websites, body.website_id),
  reply: data(Database),
  throws: {
    bad_request: NameInvalid,
    conflict: AlreadyAssociated,
    associate_failed: at(500, ...refused),
  },
  run: ({ target, body, databases: on, ...request }) =>
    association.associateDatabase(on, target, { ...request, engine, name: body.name }),
})

export const deleteDocdbDatabase = onDatabase({
  method: 'DELETE',
  path: '/docdb/{id}',
  summary: 'Delete a database on MongoDB with all its collections and users',
  effect: 'destroys',
  category: 'databases',
  reply: succeeded,
  throws: { delete_failed: at(500, ...refused) },
  run: ({ target, databases: on }) => verbs.deleteDatabase(on, target),
})

export const addDocdbUser = onDatabase({
  method: 'POST',
  path: '/docdb/{id}/users',
  summary: 'Add a user who has all rights on a database on MongoDB and on no other',
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

export const removeDocdbUser = onUser({
  method: 'DELETE',
  path: '/docdb/{id}/users/{username}',
  summary: 'Remove a user from a database on MongoDB',
  effect: 'destroys',
  changesAccess: true,
  category: 'databases',
  reply: succeeded,
  throws: { delete_failed: at(500, ...refused) },
  run: ({ target, params, databases: on }) => users.removeUser(on, target, params.username),
})

export const resetDocdbPassword = onUser({
  method: 'POST',
  path: '/docdb/{id}/users/{username}/reset-password',
  summary: 'Set the password of a user of a database on MongoDB, a random one unless one is given',
  effect: 'changes',
  changesAccess: true,
  category: 'databases',
  body: PasswordReset,
  reply: data(NewDatabasePassword),
  throws: { reset_failed: at(500, ...refused) },
  run: ({ target, params, body, databases: on }) => users.resetPassword(on, target, params.username, body),
})

export const exportDocdbDatabase = onDatabase({
  method: 'POST',
  path: '/docdb/{id}/export',
  summary: 'Dump a database on MongoDB into the folder db of its owner, as an event stream',
  description:
    'The dump is a compressed archive of mongodump. A dump that fails or is cancelled leaves no file. Leaving the stream does not end it.',
  effect: 'changes',
  category: 'databases',
  body: ExportBody,
  reply: followed(exporting, ExportEvent, exportEvent),
  run: ({ target, body }) => ({ id: target.id, upload_to_cloud: body.upload_to_cloud }),
})

export const importDocdbDatabase = onDatabase({
  method: 'POST',
  path: '/docdb/{id}/import',
  summary: 'Import a dump into a database on MongoDB, as an event stream',
  description:
    'A compressed archive of mongodump, of whatever database. mongorestore runs as the owner, without a network, as an account that has rights on this database alone. Documents that are in the database stay; one that the server refuses fails the import. Leaving the stream does not end it.',
  effect: 'changes',
  category: 'databases',
  body: ImportBody,
  reply: followed(importing, ImportEvent, importEvent),
  throws: {
    bad_request: [NotAFile, PathInvalid, fetchProblems.UrlInvalid],
    not_found: NoSuchFile,
    forbidden: NotPermitted,
    conflict: UserMissing,
  },
  run: ({ target, body }) => draftImport(target, body),
})

export const downloadDocdbDump = onDatabase({
  method: 'GET',
  path: '/docdb/{id}/download',
  summary: 'Download a file from the folder db of the owner of a database on MongoDB',
  effect: 'reads',
  query: DumpQuery,
  reply: bytes('application/gzip', 'application/octet-stream'),
  throws: {
    bad_request: [NotAFile, PathInvalid],
    not_found: NoSuchFile,
    forbidden: [OutsideHome, NotPermitted],
  },
  run: ({ target, query, databases: on }) => openDump(on, target, query.file),
})
