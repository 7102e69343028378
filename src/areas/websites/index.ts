export { websites } from './area.ts'
export type { Websites } from './context.ts'
export { withCertificate } from './edit.ts'
export { notServed } from './failures.ts'
export { WebsitePath } from './model.ts'
export {
  findWebsite,
  type Loaded as LoadedWebsite,
  loadWebsite,
  loadAnyWebsite,
  locksOf as websiteLocks,
} from './site.ts'
export { type PartWork, siteParts } from './parts.ts'
