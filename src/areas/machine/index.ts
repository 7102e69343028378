export { machine } from './area.ts'
