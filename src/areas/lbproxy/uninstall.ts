import Type from 'typebox'
import { job } from './context.ts'
import { removePackage } from './program.ts'

/** Removes the package of HAProxy. */
export const uninstallJob = job({
  kind: 'lbproxy.uninstall',
  input: Type.Object({}),
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  run: async (run) => {
    await removePackage(run.lbproxy, run)
    return {}
  },
})
