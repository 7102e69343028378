export { replicationServers } from './area.ts'
export { naturalKeys } from './natural-keys.ts'
