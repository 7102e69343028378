export * from './account.ts'
export * from './otp.ts'
