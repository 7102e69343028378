export * from './remote.ts'
export * from './ssh-audit.ts'
