export { replicationServers } from './area.ts'
export { type NaturalKey, naturalKeys } from './natural-keys.ts'
