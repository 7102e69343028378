export { plugins } from './area.ts'
export type { Context as PluginsContext } from './context.ts'
export type Plugins = import('./context.ts').Context['plugins']
