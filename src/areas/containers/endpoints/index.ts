export * from './containers.ts'
export * from './engine.ts'
