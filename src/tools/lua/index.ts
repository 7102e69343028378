import type { Found } from '../../core/tool.ts'
import { accessConfigPath, enabledDirectory, modulePath } from '../nginx/access/layout.ts'
import { nginx, openNginxParts, type NginxOptions } from '../nginx/index.ts'
import type { NginxParts } from '../nginx/parts.ts'
import { tool } from '../tool.ts'
import { loadModule } from './load-module.ts'

/** nginx's module that executes Lua, with which it evaluates access rules. */
export const lua = tool({
  name: 'lua',
  title: 'Lua in nginx',
  packages: ['libnginx-mod-http-lua'],
  isOptional: true,
  open: (opening, options: NginxOptions = {}) => ({ nginx: openNginxParts(opening, options) }),
  detect: async ({ nginx: parts }) => detect(parts),
  steps: ({ nginx: parts }) => ({ loadModule: loadModule(parts) }),
  verbs: ({ nginx: parts }) => ({
    isInstalled: () => isInstalled(parts),
    isLoaded: () => isLoaded(parts),
    /** True if the panel's file that loads the access rules is in nginx's configuration. */
    isSetUp: () => isSetUp(parts),
  }),
})

export type Lua = ReturnType<typeof lua.open>

async function detect(parts: NginxParts): Promise<Found> {
  const version = (await parts.program.version()) ?? null
  const missing = (reason: string) => ({ present: false, version: null, healthy: false, reason })
  if (version === null) return missing(`${nginx.title} is not installed`)
  if (!(await isInstalled(parts))) return missing("nginx's module for Lua is not installed")
  if (!(await isLoaded(parts))) return missing('nginx does not load its module for Lua')
  if (!(await isSetUp(parts)))
    return { present: true, version, healthy: false, reason: 'Access rules are not set up in nginx' }
  return { present: true, version, healthy: true, reason: null }
}

const isInstalled = async ({ host: { files } }: NginxParts): Promise<boolean> =>
  (await files.facts(modulePath)) !== undefined

async function isLoaded({ host: { files }, layout }: NginxParts): Promise<boolean> {
  const enabled = (await files.list(enabledDirectory(layout))).filter((name) => name.endsWith('.conf'))
  const paths = [layout.configPath, ...enabled.map((name) => `${enabledDirectory(layout)}/${name}`)]
  const texts = await Promise.all(paths.map((path) => files.read(path)))
  return texts.some((text = '') => /^[^#]*\bload_module\s+"?[^;"]*ngx_http_lua_module\.so/m.test(text))
}

const isSetUp = async ({ host: { files }, layout }: NginxParts): Promise<boolean> =>
  (await files.facts(accessConfigPath(layout))) !== undefined
