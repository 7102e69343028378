export { filemanager } from './area.ts'
export type { Filemanager } from './context.ts'
