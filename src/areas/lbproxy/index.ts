export { lbproxy } from './area.ts'
