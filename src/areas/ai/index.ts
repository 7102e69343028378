export { ai } from './area.ts'
