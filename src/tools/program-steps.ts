import { step, type Step, type StepKind } from '../core/change.ts'
import { finalStep } from '../core/steps.ts'
import { installStep } from '../host/apply/steps.ts'
import type { Host } from '../host/index.ts'
import type { Program } from './program.ts'

interface ProgramArgs {
  /** The name of the program. */
  readonly name: string
}

/** The kinds of steps that change what programs the host has. */
export type ProgramSteps = ReturnType<typeof programSteps>

/** Opens the steps on the programs of a list. */
export function programSteps(
  { packages, files }: Pick<Host, 'packages' | 'files'>,
  programs: readonly Program[],
) {
  const programNamed = (name: string): Program => {
    const program = programs.find((each) => each.name === name)
    if (program === undefined) throw new Error(`the panel has no program ${name}`)
    return program
  }
  const installedOf = async ({ name }: ProgramArgs): Promise<readonly string[]> => {
    const installed = new Set(await packages.installed())
    return programNamed(name).packages.filter((each) => installed.has(each))
  }
  const removal = finalStep<ProgramArgs, readonly string[], null, unknown>({
    name: 'program.remove',
    plan: ({ name }) => ({
      title: `Remove ${name}`,
      commands: [['apt-get', 'remove', '--', ...programNamed(name).packages]],
    }),
    why: 'the packages must be installed again',
    observe: installedOf,
    act: async ({ name }, { signal, progress, output }) => {
      await programNamed(name).remove({ signal, progress, output })
      return null
    },
    isDone: async (args, before) => {
      const left = await installedOf(args)
      return left.length === 0 || (left.length < before.length ? undefined : false)
    },
  })
  const removeProgram: StepKind<ProgramArgs, readonly string[], null> = {
    ...removal,
    orphans: 'await',
    recover: () => packages.finish(),
  }
  const installPackages = installStep({ packages, files }, { name: 'program.install', title: 'packages' })
  const setUpProgram = finalStep<ProgramArgs, null, null, unknown>({
    name: 'program.set-up',
    plan: ({ name }) => ({ title: `Set up ${name}` }),
    why: 'the program keeps the files of the panel',
    act: async ({ name }, { progress }) => {
      progress(0, `Setting up ${name}`)
      await programNamed(name).setUp()
      progress(100, `${name} is set up`)
      return null
    },
    isDone: async ({ name }) => (await programNamed(name).detect()).healthy || undefined, // it may have begun
  })
  return { removeProgram, installPackages, setUpProgram }
}

/** The steps that install a program where it is missing, and set it up for the panel. */
export function installationOf(
  { installPackages, setUpProgram }: ProgramSteps,
  { name, packages, dataDirectories }: Pick<Program, 'name' | 'packages' | 'dataDirectories'>,
  isPresent: boolean,
): readonly Step[] {
  const setUp = step(setUpProgram, { name })
  return isPresent ? [setUp] : [step(installPackages, { packages, dataDirectories }), setUp]
}
