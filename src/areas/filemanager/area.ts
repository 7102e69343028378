import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { users } from '../users/index.ts'
import { websites } from '../websites/index.ts'
import { type Context, openFilemanager } from './context.ts'
import { filemanagerEndpoints } from './endpoints/index.ts'

export const filemanager = area({
  name: 'filemanager',
  title: 'Files',
  base: '/filemanager',
  guard: permission('websites_management'),
  errors: 'coded',
  endpoints: filemanagerEndpoints,
  uses: [users, websites],
  steps: ({ filemanager: { steps } }: Context) => Object.values(steps),
  menu: { group: 'Hosting', path: '/files', icon: 'folder', order: 20 },
  needs: ({ tools }: Deps) => tools.programs.filter(({ name }) => name === 'bubblewrap').map(({ detect }) => detect),
  open: (deps: Deps): Context => ({ filemanager: openFilemanager(deps) }),
})
