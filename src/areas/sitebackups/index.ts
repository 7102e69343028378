export { sitebackups } from './area.ts'
