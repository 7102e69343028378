export { pageCache } from './area.ts'
