export { wordpress } from './area.ts'
