export * from './account.ts'
export * from './otp.ts'
export * from './passkeys.ts'
