import type { Run, RunOptions, RunResult } from '../run.ts'

/** Answers known commands; returns undefined for any other. */
export type Script = (argv: readonly string[], options: RunOptions) => Partial<RunResult> | undefined

export interface ScriptedRun {
  readonly run: Run
  /** Every command line that was run, in order. */
  readonly commands: readonly (readonly string[])[]
  /** Fails the test if an unscripted command was run, even if the caller swallowed the error. */
  assertAllScripted(): void
}

/** A strict stand-in for `run`: an unscripted command fails the test by its name. */
export function scriptedRun(...scripts: readonly Script[]): ScriptedRun {
  const commands: (readonly string[])[] = []
  const unscripted: string[] = []
  const run: Run = async (argv, options = {}) => {
    commands.push(argv)
    for (const script of scripts) {
      const answer = script(argv, options)
      if (answer !== undefined)
        return { code: 0, stdout: '', stderr: '', isCut: false, durationMs: 0, ...answer }
    }
    unscripted.push(argv.join(' '))
    throw new Error(`not scripted: ${argv.join(' ')}`)
  }
  const assertAllScripted = () => {
    if (unscripted.length > 0) throw new Error(`not scripted: ${unscripted.join(' | ')}`)
  }
  return { run, commands, assertAllScripted }
}

/** One exact command line, and its result. */
export function on(line: string, answer: Partial<RunResult> = {}): Script {
  return (argv) => (argv.join(' ') === line ? answer : undefined)
}

/** A program that is not installed. */
export function missing(program: string): Script {
  return ([name]) => (name === program ? { code: 127, stderr: `${program}: not found` } : undefined)
}
