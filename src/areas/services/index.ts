export { services } from './area.ts'
export { drivenServices } from './driven.ts'
