import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { users } from '../users/index.ts'
import { websites } from '../websites/index.ts'
import { compressing, extracting } from './archive-work.ts'
import { type Context, openFilemanager } from './context.ts'
import * as endpoints from './endpoints/index.ts'
import * as activeJobs from './active-jobs/model.ts'
import * as copyMove from './copy-move/model.ts'
import * as history from './history/model.ts'
import * as model from './model.ts'
import * as transfers from './transfers/model.ts'
import * as vcs from './vcs/model.ts'
import { createFileVersions } from './history/migrations/202611220815-file-versions.ts'
import { tidyHistoryJob } from './history/tidy.ts'
import { copying, moving } from './copy-move/work.ts'
import { downloading } from './transfers/download-work.ts'
import { removeExpiredUploads } from './transfers/expired.ts'
import { cloning, pulling, pushing } from './vcs/transfer-work.ts'
import { createVersionControl } from './vcs/migrations/202611220820-version-control.ts'
import { createFileUploads } from './transfers/migrations/202611220800-file-uploads.ts'

export const filemanager = area({
  name: 'filemanager',
  title: 'Files',
  base: '/filemanager',
  guard: permission('websites_management'),
  errors: 'coded',
  endpoints,
  schemas: { ...model, ...activeJobs, ...copyMove, ...history, ...transfers, ...vcs },
  jobs: [
    compressing,
    extracting,
    copying,
    moving,
    cloning,
    pulling,
    pushing,
    removeExpiredUploads,
    downloading,
    tidyHistoryJob,
  ],
  migrations: [createFileUploads, createFileVersions, createVersionControl],
  uses: [users, websites],
  steps: ({ filemanager: { steps } }: Context) => Object.values(steps),
  menu: { group: 'Hosting', path: '/files', order: 30 },
  needs: ['bubblewrap', 'xz-utils', '7zip'],
  open: (deps: Deps): Context => ({ filemanager: openFilemanager(deps) }),
})
