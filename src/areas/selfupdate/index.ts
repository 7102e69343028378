export { selfupdate } from './area.ts'
export { compareVersions } from './versions.ts'
export type { UpdateResult } from './model.ts'
export { resultPath } from './result.ts'
