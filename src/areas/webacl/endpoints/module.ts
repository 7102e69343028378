import { at, local } from '../../../core/endpoint.ts'
import { awaited, data } from '../../../core/reply.ts'
import { InstallFailed } from '../../../host/packages.ts'
import { notTaken } from '../../../tools/nginx/index.ts'
import { endpoint } from '../context.ts'
import { ScriptModule } from '../model.ts'
import { AptMissing } from '../problems.ts'
import { installing, readModule } from '../script-module.ts'

export const installScriptModule = endpoint({
  method: 'POST',
  path: '/script-module/install',
  summary: "Install nginx's module for Lua and load it",
  description: 'Also sets up what evaluates access rules. An installation that fails leaves nginx as it was.',
  effect: 'changes',
  category: local('the program of this host'),
  reply: awaited(installing, { status: 200, shape: 'data' }),
  throws: {
    unsupported: AptMissing,
    install_failed: InstallFailed,
    nginx_test_failed: at(500, ...notTaken),
  },
  run: () => ({}),
})

export const readScriptModule = endpoint({
  method: 'GET',
  path: '/script-module/status',
  summary: "Read whether nginx's module for Lua is installed and loaded",
  effect: 'reads',
  reply: data(ScriptModule),
  run: ({ webacl }) => readModule(webacl),
})
