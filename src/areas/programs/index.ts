export { programs } from './area.ts'
export { installing } from './install.ts'
