export { nettools } from './area.ts'
