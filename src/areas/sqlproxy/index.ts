export { sqlproxy } from './area.ts'
