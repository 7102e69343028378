export { databases } from './area.ts'
export type { Databases } from './context.ts'
export { assertInstalled as assertDatabasesInstalled, databaseLock } from './names.ts'
export { restoredDatabase } from './restored.ts'
