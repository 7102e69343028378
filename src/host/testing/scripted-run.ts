import type { Run, RunOptions, RunResult } from '../run.ts'

/** Answers the commands it knows; undefined for any other. */
export type Script = (argv: readonly string[], options: RunOptions) => Partial<RunResult> | undefined

export interface ScriptedRun {
  readonly run: Run
  /** Every command line that was run, in order. */
  readonly commands: readonly (readonly string[])[]
  /** Fails the test when something ran that no script knows, even if the caller swallowed that. */
  assertAllScripted(): void
}

/** A stand-in for `run` that is strict: a command that no script answers fails the test by its name. */
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

/** One command line, to the letter, and its answer. */
export function on(line: string, answer: Partial<RunResult> = {}): Script {
  return (argv) => (argv.join(' ') === line ? answer : undefined)
}

/** A program that is not installed. */
export function missing(program: string): Script {
  return ([name]) => (name === program ? { code: 127, stderr: `${program}: not found` } : undefined)
}
