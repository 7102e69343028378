import Type from 'typebox'
import { change } from '../../core/change.ts'
import { installationOf } from '../../tools/program-steps.ts'
import { programLock } from '../../tools/program.ts'
import { work } from './context.ts'
import { Installed } from './model.ts'

/** Installs httping where it is missing. */
export const installingHttping = work({
  kind: 'nettools.install_httping',
  input: Type.Object({}),
  reply: Installed,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: async ({ nettools: { tools } }) => {
    const { installation } = tools.httping
    if (installation === undefined) throw new Error('httping has packages')
    const { present } = await tools.httping.detect()
    return change({
      summary: 'Install httping',
      locks: [programLock(installation.name)],
      steps: installationOf(tools.programSteps, installation, present),
      reply: { installed: true as const },
    })
  },
})
