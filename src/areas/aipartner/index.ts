export { aipartner } from './area.ts'
