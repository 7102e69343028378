export * from './server.ts'
export * from './zones.ts'
