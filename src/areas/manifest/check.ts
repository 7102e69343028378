import { Problem } from '../../core/problem.ts'
import { zoneName } from '../authdns/index.ts'
import type { Manifest, PasswordReference } from './manifest-model.ts'
import { ManifestInvalid } from './problems.ts'

/** Fails if objects of a manifest contradict each other. */
export function assertConsistent(manifest: Manifest): void {
  assertReferences(manifest)
  const { users = [], websites = [], databases = [], zones = [] } = manifest
  assertUnique(users.map(({ email }, at) => [email.toLowerCase(), `users[${at}].email`]))
  assertUnique(users.flatMap(({ username }, at) => (username ? [[username, `users[${at}].username`]] : [])))
  assertUnique(
    websites.flatMap(({ domain, aliases = [] }, at) => [
      [domain, `websites[${at}].domain`],
      ...aliases.map((name, of): Named => [name, `websites[${at}].aliases[${of}]`]),
    ]),
  )
  assertUnique(databases.map(({ name }, at) => [name, `databases[${at}].name`]))
  assertUnique(
    databases.flatMap(({ users: accounts }, at) =>
      accounts.map(({ username, host }, of): Named => [
        `${username} at ${host}`,
        `databases[${at}].users[${of}].username`,
      ]),
    ),
  )
  assertOneDatabase(manifest)
  assertUnique(zones.map(({ name }, at) => [zoneNameAt(name, at), `zones[${at}].name`]))
  for (const [at, { rrsets = [] }] of zones.entries())
    for (const [of, { type }] of rrsets.entries())
      if (type.toUpperCase() === 'SOA')
        throw ManifestInvalid(`zones[${at}].rrsets[${of}].type: the panel keeps the SOA: leave it out`)
}

/** The same zone may be written in two ways, such as with and without a final dot. */
function zoneNameAt(name: string, at: number): string {
  try {
    return zoneName(name)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw ManifestInvalid(`zones[${at}].${error.message}`, { cause: error })
  }
}

type Named = readonly [name: string, path: string]

function assertUnique(names: readonly Named[]): void {
  const seen = new Map<string, string>()
  for (const [name, path] of names) {
    const first = seen.get(name)
    if (first !== undefined) throw ManifestInvalid(`${path}: ${name} is at ${first} already`)
    seen.set(name, path)
  }
}

/** A user name belongs to one database, also at several hosts. */
function assertOneDatabase({ databases = [] }: Manifest): void {
  const owners = new Map<string, string>()
  for (const [at, { name, users }] of databases.entries())
    for (const [of, { username }] of users.entries()) {
      const other = owners.get(username) ?? name
      if (other !== name)
        throw ManifestInvalid(`databases[${at}].users[${of}].username: ${username} belongs to ${other}`)
      owners.set(username, name)
    }
}

function assertReferences({ users = [], databases = [] }: Manifest): void {
  const assertOne = (password: PasswordReference | undefined, path: string) => {
    if (password === undefined || (password.env === undefined) !== (password.file === undefined)) return
    throw ManifestInvalid(`${path}.password: must be either {env: NAME} or {file: PATH}`)
  }
  for (const [at, { password }] of users.entries()) assertOne(password, `users[${at}]`)
  for (const [at, { users: accounts }] of databases.entries())
    for (const [of, { password }] of accounts.entries()) assertOne(password, `databases[${at}].users[${of}]`)
}
