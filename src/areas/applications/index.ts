export { applications } from './area.ts'
export { extensionsOf } from './source.ts'
