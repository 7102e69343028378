export { manifest } from './area.ts'
export type { ManifestApplied, ManifestPlan } from './model.ts'
