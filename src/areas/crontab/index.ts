export { crontab } from './area.ts'
export type { Crontabs } from './context.ts'
export { readCrontabText, replaceCrontab } from './crontab.ts'
