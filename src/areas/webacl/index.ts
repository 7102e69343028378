export { webacl } from './area.ts'
