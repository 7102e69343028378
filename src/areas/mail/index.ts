export { mail } from './area.ts'
