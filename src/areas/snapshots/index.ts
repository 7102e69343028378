export { snapshots } from './area.ts'
