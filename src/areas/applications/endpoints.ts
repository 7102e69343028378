import { failures, local } from '../../core/endpoint.ts'
import { awaited, data, list } from '../../core/reply.ts'
import { OrderFailed } from '../certificates/index.ts'
import { databaseNotCreated } from '../databases/index.ts'
import { notCreated } from '../websites/index.ts'
import * as verbs from './applications.ts'
import { endpoint } from './context.ts'
import { drawInstall } from './draw.ts'
import { installing } from './install.ts'
import { Application, ApplicationDraft, Catalog } from './model.ts'
import {
  ArchiveWrong,
  DownloadFailed,
  EmailMissing,
  FolderUsed,
  PackageUnreadable,
  SetUpFailed,
} from './problems.ts'

export const readApplicationCatalog = endpoint({
  method: 'GET',
  path: '/catalog',
  summary: 'Read which applications can be installed, with their versions, and why others cannot',
  effect: 'reads',
  reply: data(Catalog),
  run: ({ applications }) => verbs.readCatalog(applications),
})

export const listApplications = endpoint({
  method: 'GET',
  path: '',
  summary: 'List the applications that were installed: your own, or all for a superuser',
  effect: 'reads',
  reply: list(Application, { sort: ['created_at', 'application', 'website_id'], search: ['application'] }),
  run: ({ query, caller, applications }) => verbs.listApplications(applications, query, caller),
})

export const installApplication = endpoint({
  method: 'POST',
  path: '',
  summary: 'Install an application in a website of its own, and show the password of its administrator once',
  description:
    'One change makes the website, a database with its account, the files, the configuration and the first administrator, and orders a certificate if the domain leads to this host already; a failure undoes all of it. `email` is required for applications that have an administrator.',
  effect: 'changes',
  category: local('its secrets are drawn on each host, and its content is not mirrored'),
  body: ApplicationDraft,
  reply: awaited(installing, { status: 201, shape: 'data' }),
  throws: failures(notCreated, databaseNotCreated, {
    bad_request: EmailMissing,
    conflict: FolderUsed,
    download_failed: [DownloadFailed, ArchiveWrong],
    package_failed: PackageUnreadable,
    set_up_failed: SetUpFailed,
    acme_failed: OrderFailed,
  }),
  run: ({ body, id }) => drawInstall(body, id),
})
