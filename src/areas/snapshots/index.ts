export { snapshots } from './area.ts'
export type { Snapshots } from './context.ts'
export { keyOf, programOf, readManaged } from './managed.ts'
