import { lock } from '../../core/lock.ts'
import { Unavailable } from '../../core/problem.ts'
import type { Found } from '../../core/tool.ts'
import type { Databases } from './context.ts'
import type { Engine, EngineAccount } from './engines/engine.ts'
import { NameInvalid, NameTaken } from './problems.ts'

/** A name excludes what else is done with the same name on the server. */
export const databaseLock = lock('database', ' ')
export const databaseAccountLock = lock('database account', ' ')

/** Returns a name as the server has it: with the owner before it, so that owners do not take names from each other. */
export function fullName(
  { longest }: Pick<Engine, 'longest'>,
  field: keyof Engine['longest'],
  { owner, name }: { readonly owner: string; readonly name: string },
): string {
  const full = `${owner}_${name}`
  if (full.length <= longest[field]) return full
  throw NameInvalid(
    `${field}: ${full} has ${full.length} characters: at most ${longest[field]} with the prefix ${owner}_`,
  )
}

/** Fails with 503 unless the server is installed. */
export async function assertInstalled(server: { detect(): Promise<Found> }): Promise<void> {
  const { present, reason } = await server.detect()
  if (!present) throw Unavailable(reason ?? 'The database server is not installed')
}

/** Fails if the panel or the server has a database of this name. */
export async function assertNameFree(
  { queries }: Pick<Databases, 'queries'>,
  engine: Pick<Engine, 'findDatabases'>,
  name: string,
): Promise<void> {
  if ((await queries.named(name)) !== undefined) throw NameTaken(`name: there is a database ${name}`)
  if ((await engine.findDatabases([name])).size > 0)
    throw NameTaken(`name: the server has a database ${name}, which the panel did not create`)
}

/** Fails if an account of this name and host exists, or one of this name belongs to another database or to the system. */
export async function assertUsernameFree(
  { queries }: Pick<Databases, 'queries'>,
  engine: Pick<Engine, 'findAccounts'>,
  { username, host, databaseId }: EngineAccount & { readonly databaseId: number },
): Promise<void> {
  const own = await queries.accountsNamed(username)
  if (own.some(({ database_id }) => database_id !== databaseId))
    throw NameTaken(`username: ${username} belongs to another database`)
  if (own.some((account) => account.host === host))
    throw NameTaken(`username: there is a user ${username} at ${host}`)
  const found = await engine.findAccounts(username)
  const isForeign = found.some((account) => !own.some((known) => known.host === account.host))
  if (isForeign)
    throw NameTaken(`username: the server has an account ${username}, which the panel did not create`)
}
