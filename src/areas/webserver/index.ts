export { webserver } from './area.ts'
export type { WebServers } from './context.ts'
export { webServerLock } from './locks.ts'
export { type Obstacle, type ServedSites, servedSites } from './served-sites.ts'
