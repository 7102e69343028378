import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { oneOf } from '../../core/tool.ts'
import type { Deps } from '../deps.ts'
import { filemanager } from '../filemanager/index.ts'
import { naturalKeys, replicationServers } from '../replication-servers/index.ts'
import { users } from '../users/index.ts'
import { websites } from '../websites/index.ts'
import { type Context, openDatabases } from './context.ts'
import { duplicating } from './duplicate.ts'
import * as endpoints from './endpoints.ts'
import { createDatabases } from './migrations/202611272340-databases.ts'
import { exporting } from './export.ts'
import { importing } from './import.ts'
import * as model from './model.ts'
import { dumpStorage } from './storage.ts'
import { databasesOfUsers, databasesOfWebsites } from './parts.ts'

export const databases = area({
  name: 'databases',
  title: 'Databases',
  base: '/databases',
  bases: ['/websites'],
  guard: permission('websites_management'),
  errors: 'coded',
  endpoints,
  schemas: { Database: model.Database, DatabaseDraft: model.DatabaseDraft, DatabaseUser: model.DatabaseUser },
  jobs: [duplicating, exporting, importing],
  migrations: [createDatabases],
  points: [dumpStorage],
  uses: [websites, users, filemanager, replicationServers],
  contributes: ({ databases }: Context) => [
    databasesOfWebsites(databases),
    databasesOfUsers(databases),
    contribution(naturalKeys, {
      noun: 'database',
      paths: ['/api/databases/{id}', '/api/databases/sqlalt/{id}', '/api/databases/docdb/{id}'],
      nameOf: async (id) => (await databases.queries.find(id))?.name,
      idOf: async (name) => (await databases.queries.named(name))?.id,
    }),
  ],
  menu: { group: 'Hosting', path: '/databases', order: 20 },
  needs: [oneOf('mariadb', 'postgresql', 'mongodb')],
  open: (deps: Deps): Context => ({ databases: openDatabases(deps) }),
})
