import { at, failures } from '../../core/endpoint.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { DatabaseExists } from '../../tools/mariadb/index.ts'
import { DatabaseExists as OnPostgresql } from '../../tools/postgresql/index.ts'
import { EncodingUnknown, NameInvalid, NameTaken } from './problems.ts'

/** Every reason why a database is not created. */
export const notCreated = failures({
  bad_request: [NameInvalid, EncodingUnknown],
  conflict: [NameTaken, DatabaseExists, OnPostgresql],
  create_failed: at(500, connectProblems.SqlRefused, connectProblems.NotAnswering),
})
