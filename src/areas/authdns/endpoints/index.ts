export * from './server.ts'
export * from './zones.ts'
export * from './records.ts'
export * from './transfer.ts'
