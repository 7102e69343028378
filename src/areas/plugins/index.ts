export { plugins } from './area.ts'
export type { Plugins } from './context.ts'
export { isPluginEnabled } from './plugins.ts'
