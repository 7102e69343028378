export * from './lists.ts'
export * from './program.ts'
export * from './rules.ts'
export * from './servers.ts'
