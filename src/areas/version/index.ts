export { version } from './area.ts'
