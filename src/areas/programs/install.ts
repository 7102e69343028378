import Type from 'typebox'
import { change } from '../../core/change.ts'
import { Text } from '../../core/schemas.ts'
import { installationOf } from '../../tools/program-steps.ts'
import { programLock } from '../../tools/program.ts'
import { webServerNames } from '../../tools/web-server.ts'
import { rewriteAll, Rewritten } from '../system/index.ts'
import { work } from './context.ts'
import { assertInstallable, loadProgram } from './programs.ts'

const serveKind = 'programs.serve_again'
const Named = Type.Object({ name: Text(50) })

/** Installs one program where it is missing, and sets it up for the panel; a web server serves the websites again. */
export const installing = work({
  kind: 'programs.install',
  input: Named,
  reply: Named,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input: { name }, caller, programs }) => {
    const found = await loadProgram(programs, name)
    assertInstallable(found)
    const { packages = [], dataDirectories = [] } = programs.programs.find((each) => each.name === name) ?? {}
    const by = caller?.user.id ?? null
    const follow = { kind: serveKind, input: {}, ownerId: by, title: 'Serve the websites again' }
    return change({
      summary: `Install ${name}`,
      locks: [programLock(name)],
      steps: installationOf(programs.programSteps, { name, packages, dataDirectories }, found.present),
      jobs: webServerNames.some((server) => server === name) ? [follow] : [],
      reply: { name },
    })
  },
})

/**
 * Makes the web server in use serve the websites of the store: a purge removes their files. Follows the
 * installation of either.
 */
export const servingAgain = work({
  kind: serveKind,
  input: Type.Object({}),
  reply: Rewritten,
  timeoutMs: 600_000,
  attempts: 1,
  resumes: true,
  decide: ({ programs }) => rewriteAll(programs.system, false),
})
