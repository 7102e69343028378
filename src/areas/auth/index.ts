export { auth } from './area.ts'
export type { Context as AuthContext } from './context.ts'
export type { CredentialStore } from './credentials.ts'
