import { randomBytes } from 'node:crypto'
import { removeSecondFactor } from '../../areas/auth/index.ts'
import { createSuperuser, replacePassword } from '../../areas/users/index.ts'
import { text } from 'node:stream/consumers'
import type { Call } from './command.ts'
import type { Config } from '../config.ts'
import { request } from './request.ts'
import { withStore } from './offline.ts'

/** Creates a superuser, sets a password or removes a second factor: through the running panel, or in the store if none runs. */
export async function admin({ positionals }: Call, config: Config): Promise<number> {
  const [verb, email] = positionals
  if (email !== undefined && verb === 'reset-factor') return resetFactor(config, email)
  if (email === undefined || (verb !== 'create' && verb !== 'reset-password')) return wrongCall()
  const given = process.stdin.isTTY ? '' : (await text(process.stdin)).trim()
  const password = given || randomBytes(15).toString('base64url')
  if (password.length < 10) throw new Error('the password must have at least 10 characters')
  const failure =
    verb === 'create' ? await create(config, email, password) : await reset(config, email, password)
  if (failure) throw new Error(failure)
  process.stdout.write(
    `${verb === 'create' ? `${email} is a superuser` : `The password of ${email} is set; its sessions have ended`}\n`,
  )
  if (!given) process.stdout.write(`Password, shown only this once: ${password}\n`)
  return 0
}

async function resetFactor(config: Config, email: string): Promise<number> {
  const answer = await request(config, 'POST', '/api/auth/otp/reset', { email })
  if (answer && answer.status !== 200) throw new Error(messageOf(answer.text))
  const isDone =
    answer !== undefined || (await withStore(config, ({ auth }) => removeSecondFactor(auth, email)))
  if (!isDone) throw new Error(`there is no user ${email}`)
  process.stdout.write(`${email} signs in without a second factor\n`)
  return 0
}

function wrongCall(): number {
  process.stderr.write(
    'hostreeve: admin create EMAIL, admin reset-password EMAIL or admin reset-factor EMAIL\n',
  )
  return 2
}

async function create(config: Config, email: string, password: string): Promise<string | undefined> {
  const body = { email, password, fullname: email, is_admin: true }
  const answer = await request(config, 'POST', '/api/users', body)
  if (answer) return answer.status === 201 ? undefined : messageOf(answer.text)
  return withStore(config, async ({ users }) =>
    (await createSuperuser(users, email, password)) ? undefined : `${email} belongs to a user already`,
  )
}

async function reset(config: Config, email: string, password: string): Promise<string | undefined> {
  const answer = await request(config, 'POST', '/api/auth/reset-password', { email, password })
  if (answer) return answer.status === 200 ? undefined : messageOf(answer.text)
  return withStore(config, async ({ users }) =>
    (await replacePassword(users, email, password)) ? undefined : `there is no user ${email}`,
  )
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message
  } catch {
    return text
  }
}
