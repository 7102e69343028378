export { notifications } from './area.ts'
export { noticed } from './source.ts'
