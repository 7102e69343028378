import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { Missing } from './shell/Missing.tsx'
import { Shell } from './shell/Shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: () => <Missing /> })
const page = (path: string, load: () => Promise<{ readonly [name: string]: any }>, name: string) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(load as never, name as never),
  })

const pages = [
  createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/system' as never, replace: true })
    },
  }),
  page('/websites', () => import('../areas/websites/web/WebsitesPage.tsx'), 'WebsitesPage'),
  page('/websites/$id', () => import('../areas/websites/web/WebsitePage.tsx'), 'WebsitePage'),
  page('/files', () => import('../areas/filemanager/web/FilesPage.tsx'), 'FilesPage'),
  page('/files/edit', () => import('../areas/filemanager/web/EditFilePage.tsx'), 'EditFilePage'),
  page('/files/search', () => import('../areas/filemanager/web/search/SearchPage.tsx'), 'SearchPage'),
  page('/files/history', () => import('../areas/filemanager/web/history/HistoryPage.tsx'), 'HistoryPage'),
  page('/files/vcs', () => import('../areas/filemanager/web/vcs/VcsPage.tsx'), 'VcsPage'),
  page('/files/trash', () => import('../areas/filemanager/web/trash/TrashPage.tsx'), 'TrashPage'),
  page('/lbproxy', () => import('../areas/lbproxy/web/OverviewPage.tsx'), 'OverviewPage'),
  page('/lbproxy/numbers', () => import('../areas/lbproxy/web/NumbersPage.tsx'), 'NumbersPage'),
  page('/lbproxy/config', () => import('../areas/lbproxy/web/ConfigPage.tsx'), 'ConfigPage'),
  page(
    '/lbproxy/certificates',
    () => import('../areas/lbproxy/web/CertificatesPage.tsx'),
    'CertificatesPage',
  ),
  page('/lbproxy/backups', () => import('../areas/lbproxy/web/BackupsPage.tsx'), 'BackupsPage'),
  page('/users', () => import('../areas/users/web/UsersPage.tsx'), 'UsersPage'),
  page('/users/$uid', () => import('../areas/users/web/UserPage.tsx'), 'UserPage'),
  page('/jobs', () => import('../areas/jobs/web/JobsPage.tsx'), 'JobsPage'),
  page('/jobs/$id', () => import('../areas/jobs/web/JobPage.tsx'), 'JobPage'),
  page('/activity', () => import('../areas/activity/web/ActivityPage.tsx'), 'ActivityPage'),
  page('/plugins', () => import('../areas/plugins/web/PluginsPage.tsx'), 'PluginsPage'),
  page('/programs', () => import('../areas/programs/web/ProgramsPage.tsx'), 'ProgramsPage'),
  page('/system', () => import('../areas/system/web/SystemPage.tsx'), 'SystemPage'),
  page('/account', () => import('../areas/auth/web/AccountPage.tsx'), 'AccountPage'),
  page('/account/activity', () => import('../areas/activity/web/OwnActivityPage.tsx'), 'OwnActivityPage'),
]

/** Every page of the panel; each is loaded when it is opened. */
export const router = createRouter({
  routeTree: root.addChildren(pages),
  defaultPreload: 'intent',
  defaultErrorComponent: ({ error }) => <Missing error={error} />,
})
