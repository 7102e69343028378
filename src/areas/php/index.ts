export { php } from './area.ts'
