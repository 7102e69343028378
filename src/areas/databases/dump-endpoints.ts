import type { Deciding } from '../../core/endpoint.ts'
import { bytes, followed } from '../../core/reply.ts'
import { fetchProblems } from '../../host/fetch/index.ts'
import { ownerProblems } from '../../host/owner/index.ts'
import { type Context, endpoint } from './context.ts'
import { openDump } from './download.ts'
import { DumpQuery, ExportBody, ExportEvent, ImportBody, ImportEvent } from './dump-model.ts'
import { exportEvent, exporting } from './export.ts'
import { draftImport, importEvent, importing } from './import.ts'
import { DatabasePath } from './model.ts'
import { OutsideHome, UserMissing } from './problems.ts'

const { NoSuchFile, NotAFile, NotPermitted, PathInvalid } = ownerProblems

type Loading = Pick<Deciding, 'caller'> & Context & { readonly params: { readonly id: number } }

const onDatabase = endpoint.with({
  params: DatabasePath,
  target: ({ params, caller, databases }: Loading) => databases.queries.loadFor(caller, params.id),
})

export const exportDatabase = onDatabase({
  method: 'POST',
  path: '/{id}/export',
  summary: 'Dump a database into the folder db of its owner, as an event stream',
  description:
    'The dump is gzipped SQL with routines, triggers and events, of one consistent state of the InnoDB tables. A dump that fails or is cancelled leaves no file; one that cannot be uploaded stays in the folder, and the error says why. Leaving the stream does not end it.',
  effect: 'changes',
  category: 'databases',
  body: ExportBody,
  reply: followed(exporting, ExportEvent, exportEvent),
  run: ({ target, body }) => ({ id: target.id, upload_to_cloud: body.upload_to_cloud }),
})

export const importDatabase = onDatabase({
  method: 'POST',
  path: '/{id}/import',
  summary: 'Import a dump into a database, as an event stream',
  description:
    'SQL of MariaDB or MySQL, plain or in a .gz or .zip. Views, routines, triggers and events then belong to the first user of the database; settings of the whole server are left out, and a statement for another database ends the import. A failure names the statement and how many ran; with a safety dump the database is restored from it. Leaving the stream does not end the import.',
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

export const downloadDump = onDatabase({
  method: 'GET',
  path: '/{id}/download',
  summary: 'Download a file from the folder db of the owner of a database',
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
