export { websites } from './area.ts'
export type { Context as WebsitesContext } from './context.ts'
export type { WebsiteRow } from './store.ts'
