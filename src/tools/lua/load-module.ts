import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { loadingPath } from '../nginx/access/layout.ts'
import type { NginxParts } from '../nginx/parts.ts'

/** As Debian's package has it; the development kit, which the module needs, is loaded before by its own file. */
const line = 'load_module modules/ngx_http_lua_module.so;\n'

/** The step that adds the line by which nginx loads the module, where an administrator has removed it. */
export function loadModule({
  host: { files },
  layout,
}: Pick<NginxParts, 'host' | 'layout'>): StepKind<null, Was<string>, null> {
  const path = loadingPath(layout)
  return stateStep<null, string>({
    name: 'lua.load-module',
    plan: () => ({ title: `Load the module for Lua in ${path}` }),
    read: () => files.read(path),
    wanted: (_args, was) => was ?? line,
    write: (_args, text) => (text === undefined ? files.remove(path) : files.write(path, text)),
  })
}
