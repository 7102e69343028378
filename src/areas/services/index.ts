export { services } from './area.ts'
export type { ServicesArea } from './context.ts'
export { drivenServices, startObstacles } from './driven.ts'
