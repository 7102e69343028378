import type { StepKind } from '../../../core/change.ts'
import { Problem } from '../../../core/problem.ts'
import { ReplacingFailed } from '../problems.ts'
import type { Replacing, RunReplacing } from '../scripts/run.ts'

/** The step that replaces addresses in a database that is a copy: it is removed where the change is undone. */
export function replaceAddresses(run: RunReplacing): StepKind<Replacing, null, null> {
  return {
    name: 'staging.replace-addresses',
    plan: ({ database, names, to, scheme, username }) => ({
      title: `Replace ${names.join(', ')} by ${scheme}://${to} in the database ${database}, also in serialised data`,
      details: [`Runs a script of PHP as ${username}, without the network`],
    }),
    observe: async () => null,
    act: async (args, { signal, progress }) => {
      progress(null, `Replacing addresses in ${args.database}`)
      await run(args, 'replace', signal)
      return null
    },
    undo: async () => {},
    notUndone: 'the database is a copy, which goes with the rest',
    check: async (args) => {
      try {
        return (await run(args, 'check')).left === 0 ? 'wanted' : 'before'
      } catch (error) {
        if (error instanceof Problem && error.kind === ReplacingFailed) return 'before' // the database is gone
        throw error
      }
    },
  }
}
