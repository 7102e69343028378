export { crontab } from './area.ts'
