export { authdns } from './area.ts'
