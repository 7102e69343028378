import { randomBytes } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { change, step } from '../../core/change.ts'
import { Secret } from '../../core/schemas.ts'
import { programLock } from '../../tools/program.ts'
import { type Sqldb, work } from './context.ts'
import { Engine, Installed } from './model.ts'

/** The servers that can be chosen. Debian has no package of MySQL: apt's message then is the failure. */
const engines = {
  sqlfork: { title: 'MariaDB', packages: ['mariadb-server'] },
  sqlclassic: { title: 'MySQL', packages: ['mysql-server'] },
} as const satisfies Record<Engine, object>

/** An installation, starting, stopping and a new password exclude one another. */
export const serverLock = programLock('mariadb')

const Installation = Type.Object({ type: Engine, password: Secret({ maxLength: 64 }) })

/** Returns the input of an installation: the password is drawn once for each request. */
export const draftInstallation = (type: Engine): Static<typeof Installation> => ({
  type,
  password: randomBytes(18).toString('base64url'), // 24 characters
})

/** Installs the server where it is missing, enables and starts it, and gives root a password where it has none. */
export const installing = work({
  kind: 'sqldb.install',
  input: Installation,
  reply: Installed,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input: { type, password }, sqldb }) => {
    const { title } = engines[type]
    const isPresent = type === 'sqlfork' && (await sqldb.tool.detect()).present
    const message = isPresent
      ? `${title} is already installed: its data and its root password were kept`
      : `${title} is installed and running`
    return change({
      summary: `Install ${title}`,
      locks: [serverLock],
      steps: [...(isPresent ? [] : [packagesOf(sqldb, type)]), ...setUp(sqldb, password)],
      reply: { success: true, message, type },
    })
  },
})

const packagesOf = ({ programSteps, tool }: Sqldb, type: Engine) =>
  step(programSteps.installPackages, {
    packages: engines[type].packages,
    dataDirectories: tool.installation?.dataDirectories ?? [],
  })

const setUp = ({ tool: { steps } }: Sqldb, password: string) => [
  step(steps.switchProgram, { verb: 'enable' }),
  step(steps.switchProgram, { verb: 'start' }),
  step(steps.setRootPassword, { password }),
]
