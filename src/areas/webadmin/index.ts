export { webadmin } from './area.ts'
export { databasePasswords } from './passwords.ts'
