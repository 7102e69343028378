export { auth } from './area.ts'
export type { Credentials } from './credentials.ts'
