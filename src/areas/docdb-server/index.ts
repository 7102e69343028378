export { docdbServer } from './area.ts'
