export { websites } from './area.ts'
export { refusedByHost } from './failures.ts'
export { Overwriting, Rewritten } from './model.ts'
export type { Context as WebsitesContext } from './context.ts'
