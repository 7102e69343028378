import Type from 'typebox'
import { type Change, change, step } from '../../core/change.ts'
import { Unavailable } from '../../core/problem.ts'
import { programLock } from '../../tools/program.ts'
import { accessLua, luaFile } from '../../tools/nginx/index.ts'
import { ruledOwners } from '../websites/index.ts'
import { nginxLock } from './apply.ts'
import { assertServing } from './available.ts'
import { type Webacl, work } from './context.ts'
import { ScriptModule } from './model.ts'
import { AptMissing } from './problems.ts'

/** Installs nginx's module for Lua, has nginx load it, and sets up what evaluates access rules. */
export const installing = work({
  kind: 'webacl.install_module',
  input: Type.Object({}),
  reply: ScriptModule,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: ({ webacl }) => install(webacl),
})

/** Says whether the module is on this host, and whether nginx loads it. */
export async function readModule({ lua }: Webacl) {
  const [installed, loaded] = await Promise.all([lua.isInstalled(), lua.isLoaded()])
  return { installed, loaded }
}

async function install(on: Webacl): Promise<Change<{ installed: boolean; loaded: boolean }>> {
  const { lua, nginx, packages, programSteps } = on
  await assertServing(on)
  const { installed, loaded } = await readModule(on)
  if (!installed) {
    const { kind } = await packages.detect()
    if (kind === 'none') throw AptMissing('This host has neither apt nor dnf nor yum')
    if (kind !== 'apt') throw Unavailable(`The panel does not install packages with ${kind} yet`)
  }
  const { packages: names = [] } = lua.installation ?? {}
  const { writeAccessFile, writeAccess } = nginx.steps
  return change({
    summary: "Install nginx's module for Lua",
    locks: [programLock('lua'), nginxLock],
    steps: [
      ...(installed ? [] : [step(programSteps.installPackages, { packages: names, dataDirectories: [] })]),
      ...(loaded ? [] : [step(lua.steps.loadModule, null)]),
      step(writeAccessFile, { name: luaFile, content: accessLua }),
      step(writeAccess, { owners: await ruledOwners(on.websites), sites: [] }),
    ],
    reply: { installed: true, loaded: true },
  })
}
