import Type from 'typebox'
import { at, local } from '../../core/endpoint.ts'
import { awaited, data, flat } from '../../core/reply.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { DiskFull } from '../../host/files.ts'
import { ServiceFailed } from '../../host/services.ts'
import {
  AccountExists,
  CommandRefused,
  DumpFailed,
  NotServing,
  RestoreFailed,
} from '../../tools/mongodb/index.ts'
import * as accounts from './accounts.ts'
import * as backups from './backups.ts'
import { backingUp, restoring } from './backups.ts'
import { endpoint } from './context.ts'
import {
  BackupPath,
  DocdbBackups,
  DocdbStatus,
  DocdbSwitched,
  DocdbUserDraft,
  DocdbUserPath,
  DocdbUserQuery,
  DocdbUsers,
  RestoreDraft,
} from './model.ts'
import { AccountOfPanel, BadBackupName, NoSuchAccount, NoSuchBackup } from './problems.ts'
import * as server from './server.ts'

const ofThisHost = local('the server of this host')
const unanswered = [connectProblems.NotAnswering, CommandRefused] as const
const Success = flat(Type.Object({ success: Type.Literal(true) }))

export const readStatus = endpoint({
  method: 'GET',
  path: '/status',
  summary: 'Read whether the document database server runs, with figures',
  effect: 'reads',
  reply: data(DocdbStatus),
  run: ({ docdbServer }) => server.readStatus(docdbServer),
})

const switching = { method: 'POST', effect: 'changes', category: ofThisHost } as const

export const start = endpoint({
  ...switching,
  path: '/start',
  summary: 'Start the document database server',
  reply: flat(DocdbSwitched),
  throws: { start_error: at(500, ServiceFailed, NotServing) },
  run: ({ docdbServer }) => server.switchServer(docdbServer, 'start'),
})

export const stop = endpoint({
  ...switching,
  path: '/stop',
  summary: 'Stop the document database server',
  reply: flat(DocdbSwitched),
  throws: { stop_error: at(500, ServiceFailed) },
  run: ({ docdbServer }) => server.switchServer(docdbServer, 'stop'),
})

export const restart = endpoint({
  ...switching,
  path: '/restart',
  summary: 'Restart the document database server',
  reply: flat(DocdbSwitched),
  throws: { restart_error: at(500, ServiceFailed, NotServing) },
  run: ({ docdbServer }) => server.switchServer(docdbServer, 'restart'),
})

export const listBackups = endpoint({
  method: 'GET',
  path: '/backups',
  summary: 'List the backups of the document database server, the newest first',
  effect: 'reads',
  reply: data(DocdbBackups),
  run: ({ docdbServer }) => backups.listBackups(docdbServer),
})

export const backUp = endpoint({
  method: 'POST',
  path: '/backup',
  summary: 'Write a backup of all databases of the document database server',
  description:
    'With mongodump, compressed, to a folder that only root can read. The 10 newest backups are kept. Databases are read one after another while clients change them; accounts and the settings of the server are not restored from a backup.',
  effect: 'changes',
  category: ofThisHost,
  reply: awaited(backingUp, { status: 200, shape: 'flat' }),
  throws: { backup_error: at(500, DumpFailed, DiskFull, ...unanswered) },
  run: ({ now }) => backups.draftBackup(now),
})

export const restore = endpoint({
  method: 'POST',
  path: '/restore',
  summary: 'Replace the databases of a backup by what they were',
  description:
    'A safety backup is written first. Then each database of the backup is dropped and restored, except admin, config and local; databases that the backup does not contain stay. A restore that fails, or of which the server refuses a document, puts the former databases back.',
  effect: 'destroys',
  category: ofThisHost,
  body: RestoreDraft,
  reply: awaited(restoring, { status: 200, shape: 'flat' }),
  throws: {
    bad_request: BadBackupName,
    not_found: NoSuchBackup,
    restore_error: at(500, RestoreFailed, DumpFailed, DiskFull, ...unanswered),
  },
  run: ({ body, now }) => backups.draftRestore(body.backup, now),
})

export const deleteBackup = endpoint({
  method: 'DELETE',
  path: '/backups/{name}',
  summary: 'Remove a backup of the document database server',
  effect: 'destroys',
  category: ofThisHost,
  params: BackupPath,
  reply: Success,
  throws: { not_found: NoSuchBackup, delete_error: at(500, DiskFull) },
  run: ({ docdbServer, params }) => backups.deleteBackup(docdbServer, params.name),
})

export const listUsers = endpoint({
  method: 'GET',
  path: '/users',
  summary: 'List the accounts of the document database server with their roles',
  effect: 'reads',
  reply: data(DocdbUsers),
  run: ({ docdbServer }) => accounts.listUsers(docdbServer),
})

export const createUser = endpoint({
  method: 'POST',
  path: '/users',
  summary: 'Create an account with a role on a database of the document database server',
  effect: 'changes',
  changesAccess: true,
  category: ofThisHost,
  body: DocdbUserDraft,
  reply: Success,
  throws: { conflict: AccountExists, create_error: at(500, ...unanswered) },
  run: ({ docdbServer, body }) => accounts.createUser(docdbServer, body),
})

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/users/{username}',
  summary: 'Remove an account of the document database server',
  effect: 'destroys',
  changesAccess: true,
  category: ofThisHost,
  params: DocdbUserPath,
  query: DocdbUserQuery,
  reply: Success,
  throws: {
    not_found: NoSuchAccount,
    conflict: AccountOfPanel,
    delete_error: at(500, ...unanswered),
  },
  run: ({ docdbServer, params, query }) => accounts.deleteUser(docdbServer, params.username, query.db),
})
