import { IconBox } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconBox,
  guide: 'containers',
  titles: {
    '/containers/catalog': 'Catalog of containers',
    '/containers/stacks': 'Stacks of containers',
    '/containers/exposure': 'Exposure of containers',
    '/containers/images': 'Images of containers',
    '/containers/registries': 'Registries of containers',
    '/containers/backups': 'Backups of containers',
  },
  byPath: {
    '/containers': async () => (await import('./ContainersPage.tsx')).ContainersPage,
    '/containers/catalog': async () => (await import('./catalog/CatalogPage.tsx')).CatalogPage,
    '/containers/stacks': async () => (await import('./StacksPage.tsx')).StacksPage,
    '/containers/exposure': async () => (await import('./ExposurePage.tsx')).ExposurePage,
    '/containers/images': async () => (await import('./ImagesPage.tsx')).ImagesPage,
    '/containers/registries': async () => (await import('./RegistriesPage.tsx')).RegistriesPage,
    '/containers/backups': async () => (await import('./BackupsPage.tsx')).BackupsPage,
    '/containers/list/$name': async () => (await import('./ContainerPage.tsx')).ContainerPage,
  },
  actions: [
    { title: 'Create a container', to: '/containers', dialog: 'create' },
    { title: 'Pull an image', to: '/containers/images', dialog: 'pull' },
    { title: 'Add credentials of a registry', to: '/containers/registries', dialog: 'add' },
  ],
}
