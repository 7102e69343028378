export { machine } from './area.ts'
export { readZone } from './zone-database.ts'
