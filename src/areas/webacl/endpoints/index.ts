export * from './groups.ts'
export * from './module.ts'
export * from './rules.ts'
export * from './rulesets.ts'
