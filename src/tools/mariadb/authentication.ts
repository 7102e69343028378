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

/** The statement that lets root sign in in these ways. */
export function identifiedBy(authentication: Authentication): SqlStatement {
  const methods = authentication.flatMap(({ plugin, secret }) => [identifier(plugin), secret])
  const between = methods.slice(1).map((_value, index) => (index % 2 === 0 ? ' using ' : ' or '))
  return { parts: ["alter user 'root'@'localhost' identified via ", ...between, ''], values: methods }
}
