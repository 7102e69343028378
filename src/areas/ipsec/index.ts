export { ipsec } from './area.ts'
