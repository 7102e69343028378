export * from './backends.ts'
export * from './keepalived.ts'
export * from './program.ts'
export * from './traffic.ts'
