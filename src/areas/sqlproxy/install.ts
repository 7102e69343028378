import { randomBytes } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { type Change, change, step } from '../../core/change.ts'
import { Unavailable } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { Secret } from '../../core/schemas.ts'
import { adminInterfaces, remoteAccount } from '../../tools/proxysql/index.ts'
import { type Sqlproxy, work } from './context.ts'
import { proxyLock } from './locks.ts'
import { type AdminPassword, SqlproxyInstalled, SqlproxyRemoved } from './model.ts'
import { AlreadyInstalled, NotSetUp, PasswordInvalid } from './problems.ts'

const Installation = Type.Object({ local: Secret({ maxLength: 64 }), remote: Secret({ maxLength: 64 }) })

/** Returns the input of an installation: the passwords are drawn once for each request. */
export const draftInstallation = (): Static<typeof Installation> => ({
  local: randomBytes(24).toString('base64url'), // 32 characters
  remote: randomBytes(24).toString('base64url'),
})

/** Installs ProxySQL, starts it, and gives its admin interface new passwords. */
export const installing = work({
  kind: 'sqlproxy.install',
  input: Installation,
  reply: SqlproxyInstalled,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: ({ input, sqlproxy }) => install(sqlproxy, input),
})

/** Removes the package; the configuration of ProxySQL stays. */
export const removing = work({
  kind: 'sqlproxy.remove',
  input: Type.Object({}),
  reply: SqlproxyRemoved,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: async ({ sqlproxy: { tool, programSteps } }) => {
    const { present, reason } = await tool.detect()
    if (!present) throw Unavailable(reason ?? undefined)
    return change({
      summary: 'Remove ProxySQL',
      locks: [proxyLock],
      steps: [
        step(tool.steps.switchProgram, { verb: 'stop' }),
        step(programSteps.removeProgram, { name: 'proxysql' }),
      ],
      reply: success,
    })
  },
})

async function install(
  { tool, programSteps }: Sqlproxy,
  { local, remote }: Static<typeof Installation>,
): Promise<Change<Static<typeof SqlproxyInstalled>>> {
  const { present } = await tool.detect()
  const former = await tool.readPassword()
  if (present && former !== undefined) throw AlreadyInstalled()
  const { packages = [], dataDirectories = [] } = tool.installation ?? {}
  const { steps } = tool
  // ProxySQL keeps its database when it is removed, and with it the password that the file has
  const password = former ?? local
  return change({
    summary: 'Install ProxySQL',
    locks: [proxyLock],
    steps: [
      ...(present ? [] : [step(programSteps.installPackages, { packages, dataDirectories })]),
      step(steps.switchProgram, { verb: 'enable' }),
      step(steps.switchProgram, { verb: 'start' }),
      step(steps.awaitAnswer, null),
      step(steps.writeCredentials, { password }),
      step(steps.setRows, adminRows(`admin:${password};${remoteAccount}:${remote}`)),
    ],
    reply: {
      success: true,
      message: 'ProxySQL is installed and answers',
      remote_user: remoteAccount,
      remote_password: remote,
    },
  })
}

const adminRows = (credentials: string) => ({
  group: 'adminVariables' as const,
  put: [
    { variable_name: 'admin-admin_credentials', variable_value: credentials },
    { variable_name: 'admin-mysql_ifaces', variable_value: adminInterfaces },
  ],
})

/** Sets the password of the account by which other hosts administer ProxySQL, and lets it listen for them. */
export async function setAdminPassword(
  { tool }: Sqlproxy,
  { password }: AdminPassword,
): Promise<Change<{ success: true }>> {
  if (!/^[!-9<-~]{12,128}$/.test(password))
    throw PasswordInvalid('password: must have 12 to 128 printable ASCII characters, without spaces, : and ;')
  if ((await tool.readPassword()) === undefined) throw NotSetUp()
  const { 'admin-admin_credentials': row } = await tool.readRunning('adminVariables')
  const accounts = (row?.['variable_value'] ?? '').split(';')
  const others = accounts.filter((each) => each !== '' && !each.startsWith(`${remoteAccount}:`))
  const credentials = [...others, `${remoteAccount}:${password}`].join(';')
  return change({
    summary: 'Set the password of the remote admin account of ProxySQL',
    locks: [proxyLock],
    steps: [step(tool.steps.setRows, adminRows(credentials))],
    reply: success,
  })
}
