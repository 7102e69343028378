import { digestOf } from '../../../host/files.ts'
import type { NginxLayout } from '../layout.ts'
import { accessLua } from './lua/index.ts'

type AccessLayout = Pick<NginxLayout, 'directory' | 'ownConfigPath' | 'configPath'>

/** The module's file in Debian's package. */
export const modulePath = '/usr/lib/nginx/modules/ngx_http_lua_module.so'

/** The directory of the Lua module and of the compiled rules, which only root reads. */
export const accessDirectory = ({ directory }: AccessLayout): string => `${directory}/access`

/** The panel's file in conf.d that loads the Lua module; it precedes the panel's other file. */
export const accessConfigPath = ({ ownConfigPath }: AccessLayout): string =>
  ownConfigPath.replace(/\.conf$/, '-access.conf')

/** The file by which Debian's package loads the module. */
export const loadingPath = (layout: AccessLayout): string =>
  `${enabledDirectory(layout)}/50-mod-http-lua.conf`

/** The directory of the modules that nginx loads. */
export const enabledDirectory = ({ configPath }: AccessLayout): string =>
  `${configPath.slice(0, configPath.lastIndexOf('/'))}/modules-enabled`

/** A file of the access directory is named by its content, so that a new one never replaces one that is in use. */
export const luaFile = `access-${shortDigest(accessLua)}.lua`

/** Returns the name of the file of an owner's compiled rules. */
export const rulesFile = (owner: number, digest: string): string => `${owner}-${digest}.rules`

/** Returns enough of a digest to tell texts of one owner apart. */
export function shortDigest(text: string): string {
  return digestOf(text).slice(0, 16)
}
