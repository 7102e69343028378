import type { StepKind } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'
import { serviceOf, type ServiceState, serviceStep } from '../../host/apply/steps.ts'
import type { Host } from '../../host/index.ts'
import { packagedUnit } from './pool.ts'

interface SwitchArgs {
  readonly version: string
  readonly verb: 'start' | 'enable' | 'reload'
}

interface RemoveArgs {
  readonly version: string
  readonly packages: readonly string[]
}

/** The steps that remove versions of PHP, and switch the service of their packages. */
export function packageSteps({ packages, services }: Pick<Host, 'packages' | 'services'>) {
  const serviceFor = ({ version }: SwitchArgs) =>
    serviceStep<SwitchArgs>(serviceOf(services, packagedUnit(version)), {
      name: 'php.switch-service',
      title: `PHP ${version}`,
      reloads: packagedUnit(version),
    })
  const switchService: StepKind<SwitchArgs, ServiceState, null> = {
    name: 'php.switch-service',
    plan: (args) => serviceFor(args).plan(args),
    observe: (args) => serviceFor(args).observe(args),
    act: (args, run) => serviceFor(args).act(args, run),
    undo: (args, before) => serviceFor(args).undo(args, before),
    check: (args, before) => serviceFor(args).check(args, before),
    notUndone: ({ verb }) => (verb === 'reload' ? 'php-fpm has read its files' : undefined),
  }
  const installedOf = async ({ packages: names }: RemoveArgs): Promise<readonly string[]> => {
    const installed = new Set(await packages.installed())
    return names.filter((each) => installed.has(each))
  }
  const removal = finalStep<RemoveArgs, readonly string[], null, unknown>({
    name: 'php.remove-packages',
    plan: ({ version, packages: names }) => ({
      title: `Remove PHP ${version}`,
      commands: [['apt-get', 'remove', '--', ...names]],
    }),
    why: 'the packages must be installed again',
    observe: installedOf,
    act: async ({ packages: names }, { signal, progress, output }) => {
      await packages.remove(names, {
        signal,
        onProgress: (line) => void progress(null, line),
        onLine: output,
      })
      return null
    },
    isDone: async (args, before) => {
      const left = await installedOf(args)
      return left.length === 0 || (left.length < before.length ? undefined : false)
    },
  })
  const removePackages: StepKind<RemoveArgs, readonly string[], null> = {
    ...removal,
    orphans: 'await',
    recover: () => packages.finish(),
  }
  return { removePackages, switchService }
}
