export { auth } from './area.ts'
