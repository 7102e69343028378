export * from './servers.ts'
export * from './categories.ts'
export * from './log.ts'
