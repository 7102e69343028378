export { system } from './area.ts'
export type { System } from './context.ts'
export { refusedByHost } from './failures.ts'
export { rewriteAll, type RewrittenFiles, rewrittenFiles } from './rewrite.ts'
