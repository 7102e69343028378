export { system } from './area.ts'
