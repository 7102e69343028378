export { terminal } from './area.ts'
