import { randomBytes } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { type Change, change, step } from '../../core/change.ts'
import { Secret } from '../../core/schemas.ts'
import { hashOf } from '../../tools/mariadb/index.ts'
import { accountName, databaseName } from '../../tools/powerdns/index.ts'
import { type Authdns, work } from './context.ts'
import { serverLock } from './locks.ts'
import { AuthdnsInstalled } from './model.ts'
import { AlreadyInstalled, SqlRequired } from './problems.ts'

const Installation = Type.Object({ api_key: Secret({ maxLength: 64 }), password: Secret({ maxLength: 64 }) })

/** Returns the input of an installation: the key and the password are drawn once for each request. */
export const draftInstallation = (): Static<typeof Installation> => ({
  api_key: randomBytes(24).toString('base64url'), // 32 characters
  password: randomBytes(24).toString('base64url'),
})

/** Installs PowerDNS with its zones in MariaDB, and starts it. */
export const installing = work({
  kind: 'authdns.install',
  input: Installation,
  reply: AuthdnsInstalled,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: ({ input, authdns }) => install(authdns, input),
})

async function install(
  on: Authdns,
  { api_key, password }: Static<typeof Installation>,
): Promise<Change<Static<typeof AuthdnsInstalled>>> {
  const { tool, mariadb, programSteps } = on
  if ((await tool.readApiSettings()) !== undefined) throw AlreadyInstalled()
  if (!(await mariadb.detect()).present || !(await mariadb.isRunning())) throw SqlRequired()
  const { packages = [] } = tool.installation ?? {}
  const encoding = { charset: 'utf8mb4', collation: 'utf8mb4_general_ci' }
  const account = { username: accountName, host: 'localhost', database: databaseName, hash: hashOf(password) }
  return change({
    summary: 'Install PowerDNS',
    locks: [serverLock],
    steps: [
      step(programSteps.installPackages, { packages, dataDirectories: [] }),
      step(mariadb.steps.createDatabase, { name: databaseName, ...encoding }),
      step(tool.steps.loadSchema, null),
      step(mariadb.steps.setAccount, account),
      step(tool.steps.writeConfiguration, { apiKey: api_key, password }),
      step(tool.steps.switchProgram, { verb: 'enable' }),
      step(tool.steps.switchProgram, { verb: 'restart' }),
      step(tool.steps.awaitAnswer, null),
    ],
    reply: {
      success: true,
      message: 'PowerDNS is installed and answers',
      api_key,
      db_name: databaseName,
    },
  })
}
