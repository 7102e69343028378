export * from './peers.ts'
export * from './primary.ts'
export * from './replica.ts'
export * from './settings.ts'
