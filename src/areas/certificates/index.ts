export { certificates } from './area.ts'
