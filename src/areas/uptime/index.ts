export { uptime } from './area.ts'
