export { databases } from './area.ts'
