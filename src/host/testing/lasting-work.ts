import { existsSync } from 'node:fs'
import { openWorkBench } from '../../changes/long-work/testing/bench.ts'
import { change, step, type StepKind } from '../../core/change.ts'
import type { Store } from '../../store/store.ts'
import { run } from '../run.ts'
import { openStepPrograms } from '../step-programs.ts'

/** A program that prints a secret, and further lines once there are files `go` and `end`. */
const script = `cd "$1"; echo begun; echo the password is open sesame; echo begun
until [ -e go ]; do sleep 0.02; done; echo again
until [ -e end ]; do sleep 0.02; done; echo ended; echo > done`

/** A step whose lasting program a restarted panel awaits. */
const kind: StepKind<{ readonly directory: string }, null, null> = {
  name: 'program.last',
  orphans: 'await',
  plan: () => ({ title: 'Run a program' }),
  observe: async () => null,
  act: async ({ directory }, { output }) => {
    await run(['sh', '-c', script, 'sh', directory], { isLasting: true, onLine: output })
    return null
  },
  undo: async () => {},
  check: async ({ directory }) => (existsSync(`${directory}/done`) ? 'wanted' : 'before'),
}

/** Long work with one lasting program, on this host. */
export const openLastingBench = (store: Store) =>
  openWorkBench(store, {
    kind,
    programs: openStepPrograms(),
    work: {
      decide: ({ input: { directory } }) =>
        change({ summary: 'Run a program', steps: [step(kind, { directory })], reply: { id: 1, wrote: '' } }),
    },
  })
