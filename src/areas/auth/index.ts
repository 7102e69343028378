export { auth } from './area.ts'
export type { Credentials } from './credentials.ts'
export { removeSecondFactor } from './otp.ts'
export type { Auth } from './context.ts'
