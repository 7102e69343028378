export { mailboxBackup } from './area.ts'
