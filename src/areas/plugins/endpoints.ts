import Type from 'typebox'
import { NotFound } from '../../core/problem.ts'
import { data, succeeded } from '../../core/reply.ts'
import { Text } from '../../core/schemas.ts'
import { endpoint } from './context.ts'
import { catalog, Plugin } from './model.ts'
import * as verbs from './plugins.ts'

const PluginPath = Type.Object({ name: Text(50, { description: 'Name of the plugin' }) })

const load = ({ params }: { readonly params: { readonly name: string } }) => {
  const plugin = catalog.find(({ name }) => name === params.name)
  if (plugin === undefined) throw NotFound(`name: there is no plugin ${params.name}`)
  return plugin
}

export const listPlugins = endpoint({
  method: 'GET',
  path: '',
  summary: 'List the plugins: whether they are enabled, and whether their programs are installed',
  effect: 'reads',
  reply: data(Type.Array(Plugin, { maxItems: 100 })),
  run: ({ plugins }) => verbs.listPlugins(plugins),
})

export const enablePlugin = endpoint({
  method: 'POST',
  path: '/{name}/enable',
  summary: 'Enable a plugin: its area answers again',
  effect: 'changes',
  category: 'plugins',
  params: PluginPath,
  reply: succeeded,
  target: load,
  run: ({ plugins, target, ...request }) => verbs.switchPlugin(plugins, target.name, true, request),
})

export const disablePlugin = endpoint({
  method: 'POST',
  path: '/{name}/disable',
  summary: 'Disable a plugin: its area answers 403 until it is enabled',
  effect: 'changes',
  category: 'plugins',
  params: PluginPath,
  reply: succeeded,
  target: load,
  run: ({ plugins, target, ...request }) => verbs.switchPlugin(plugins, target.name, false, request),
})
