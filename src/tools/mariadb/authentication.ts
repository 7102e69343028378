import { identifier, type SqlStatement } from '../../host/apply/steps.ts'

/** One way to sign in, such as `unix_socket` without a secret, or `mysql_native_password` with a hash. */
export interface SignInMethod {
  readonly plugin: string
  readonly secret: string
}

/** The ways in which an account may sign in; each of them is enough. */
export type Authentication = readonly SignInMethod[]

interface Priv {
  readonly plugin?: string
  readonly authentication_string?: string
  readonly auth_or?: readonly Priv[]
}

/** Reads the column `Priv` of `mysql.global_priv`; `{}` in its list stands for the method beside the list. */
export function authenticationOf(priv: string): Authentication {
  const { auth_or, ...own }: Priv = JSON.parse(priv)
  return (auth_or ?? [own]).map((each) => methodOf(each.plugin === undefined ? own : each))
}

const methodOf = ({ plugin = 'mysql_native_password', authentication_string = '' }: Priv): SignInMethod => ({
  plugin,
  secret: authentication_string,
})

/** True if the account has a password; Debian's `invalid` is the hash of none. */
export function hasPassword(authentication: Authentication): boolean {
  return authentication.some(
    ({ plugin, secret }) => plugin !== 'unix_socket' && secret !== '' && secret !== 'invalid',
  )
}

/** An account of the server: the same name from another host is another account. */
export interface Account {
  readonly username: string
  readonly host: string
}

/** The statement that lets root sign in in these ways. */
export const identifiedBy = (authentication: Authentication): SqlStatement =>
  withMethods({ parts: ["alter user 'root'@'localhost'"], values: [] }, authentication)

/** The statement that creates or changes an account so that it signs in in these ways. */
export const accountIdentifiedBy = (
  verb: 'create' | 'alter',
  { username, host }: Account,
  authentication: Authentication,
): SqlStatement =>
  withMethods({ parts: [`${verb} user `, '@', ''], values: [username, host] }, authentication)

/** Methods that only MySQL has: it knows one for each account, and takes hashes in other words. */
const ofMysql = new Set(['auth_socket', 'caching_sha2_password', 'sha256_password'])

function withMethods({ parts, values }: SqlStatement, authentication: Authentication): SqlStatement {
  const [only] = authentication
  if (only !== undefined && ofMysql.has(only.plugin))
    return {
      parts: [...parts.slice(0, -1), `${parts.at(-1)} identified with `, ' as ', ''],
      values: [...values, identifier(only.plugin), only.secret],
    }
  const methods = authentication.flatMap(({ plugin, secret }) => [identifier(plugin), secret])
  const between = methods.slice(1).map((_value, index) => (index % 2 === 0 ? ' using ' : ' or '))
  const begun = `${parts.at(-1)} identified via `
  return { parts: [...parts.slice(0, -1), begun, ...between, ''], values: [...values, ...methods] }
}
