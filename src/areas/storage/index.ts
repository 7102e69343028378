export { storage } from './area.ts'
