export { snapshots } from './area.ts'
export type { Snapshots } from './context.ts'
export { type LargeContent, mostBytes, readLarge } from './large-files.ts'
export { keyOf, programOf, readManaged } from './managed.ts'
