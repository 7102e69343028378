export { websites } from './area.ts'
export type { Websites } from './context.ts'
export { findWebsite } from './site.ts'
