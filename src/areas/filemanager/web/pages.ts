import { IconFolder } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconFolder,
  guide: 'files',
  titles: {
    '/files/search': 'Search files',
    '/files/history': 'History',
    '/files/vcs': 'Version control',
    '/files/trash': 'Trash',
  },
  websiteSteps: [
    {
      order: 10,
      title: 'Upload now',
      detail: 'Your files replace the placeholder page.',
      linkOf: ({ id, domain }) => ({
        to: '/files',
        search: { website_id: id, path: `sites/${domain}/public` },
      }),
    },
  ],
  byPath: {
    '/files': async () => (await import('./FilesPage.tsx')).FilesPage,
    '/files/edit': async () => (await import('./EditFilePage.tsx')).EditFilePage,
    '/files/search': async () => (await import('./search/SearchPage.tsx')).SearchPage,
    '/files/history': async () => (await import('./history/HistoryPage.tsx')).HistoryPage,
    '/files/vcs': async () => (await import('./vcs/VcsPage.tsx')).VcsPage,
    '/files/trash': async () => (await import('./trash/TrashPage.tsx')).TrashPage,
  },
}
