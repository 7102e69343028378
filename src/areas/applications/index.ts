export { applications } from './area.ts'
export { phpExtensions } from './run-script.ts'
export { wordpressVersionIn } from './catalog/wordpress.ts'
export type { Applications } from './context.ts'
