export * from './processes.ts'
export * from './server.ts'
