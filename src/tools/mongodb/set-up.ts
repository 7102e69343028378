import { randomBytes } from 'node:crypto'
import type { Host } from '../../host/index.ts'
import { untilAnswering } from './await-answer.ts'
import { asksForSignIn, configurationPath, SetUpRefused, withSignIn } from './configuration.ts'
import { credentialsPath, panelAccount, readCredentials, writeCredentials } from './credentials.ts'
import type { DocumentConnection } from './wire/client.ts'

interface SettingUp {
  readonly host: Pick<Host, 'files' | 'services'>
  readonly service: string
  /** As the account of the panel. */
  readonly connection: DocumentConnection
  /** Without a sign-in. */
  readonly anonymous: DocumentConnection
}

/**
 * Makes the server ask for a sign-in, which its packages leave off: any account of the host could read all
 * databases. The panel gets an account with the role root. May be repeated, also after a kill at any point.
 */
export async function setUp({ host: { files, services }, service, ...on }: SettingUp): Promise<void> {
  const text = await files.read(configurationPath)
  if (text === undefined) throw SetUpRefused(`${configurationPath} is missing`)
  if (asksForSignIn(text)) {
    if ((await readCredentials(files)) === undefined) throw SetUpRefused(unknownAccount)
  } else {
    const candidate = withSignIn(text)
    const password = (await readCredentials(files))?.password ?? randomBytes(18).toString('base64url')
    await writeCredentials(files, password)
    await services.act(service, 'start')
    await untilAnswering(on.anonymous)
    await setAccount(on.anonymous, password)
    await files.write(configurationPath, candidate)
    await services.act(service, 'restart')
  }
  await services.act(service, 'enable')
  await services.act(service, 'start')
  await untilAnswering(on.connection)
}

const unknownAccount = `The server asks for a sign-in already, and the panel has no account: make the account ${panelAccount} with the role root in the database admin, and write its password to ${credentialsPath} as \`password: "…"\``

async function setAccount(connection: DocumentConnection, password: string): Promise<void> {
  const { users } = await connection.run('admin', { usersInfo: panelAccount })
  const isThere = Array.isArray(users) && users.length > 0
  const account = { pwd: password, roles: [{ role: 'root', db: 'admin' }] }
  await connection.run('admin', {
    [isThere ? 'updateUser' : 'createUser']: panelAccount,
    ...account,
    mechanisms: ['SCRAM-SHA-256'],
  })
}
