import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Destination } from '../../store/copying/copy-store.ts'
import { assertDatabase } from '../../areas/settings/index.ts'
import { areas } from '../areas.ts'
import { type Config, placeOfStore } from '../config.ts'
import { migrationsOf } from '../migrations.ts'
import type { Call } from './command.ts'

const usage = `hostreeve: store copy --to URL
  URL is postgres://user@host:5432/database, sqlite: for the data directory, sqlite:PATH, or @FILE with the URL,
  as the arguments of a program can be read by all users of the host and should contain no password
`

/** Copies the store from SQLite to PostgreSQL or back. */
export async function store({ positionals: [verb], to, isJson }: Call, config: Config): Promise<number> {
  if (to !== undefined && containsPassword(to)) {
    process.stderr.write('hostreeve: the URL contains a password: write it to a file, and give --to @FILE\n')
    return 2
  }
  const destination = to === undefined ? undefined : destinationOf(to, config)
  if (verb !== 'copy' || destination === undefined) {
    process.stderr.write(usage)
    return 2
  }
  const { copyStore } = await import('../../store/copying/copy-store.ts')
  const from = { ...placeOfStore(config), migrations: migrationsOf(areas), now: new Date() }
  const copied = await copyStore(from, destination)
  const next =
    'file' in destination
      ? 'Remove database_url from the settings, and start the panel'
      : 'Set database_url to the new address, and start the panel'
  process.stdout.write(
    isJson
      ? `${JSON.stringify(copied)}\n`
      : `Copied ${copied.rows} rows of ${copied.tables} tables and compared every value. ${next}\n`,
  )
  return 0
}

function destinationOf(to: string, { data_dir }: Config): Destination | undefined {
  const text = to.startsWith('@') ? readFileSync(to.slice(1), 'utf8').trim() : to
  if (/^postgres(?:ql)?:\/\//.test(text)) {
    assertAddress(text)
    return { url: text }
  }
  const [, path] = /^sqlite:(?:\/\/)?(.*)$/.exec(text) ?? []
  return path === undefined ? undefined : { file: resolve(path || `${data_dir}/hostreeve.db`) }
}

/** The driver takes it from the query as well. */
function containsPassword(to: string): boolean {
  const url = URL.parse(to)
  return url !== null && (url.password !== '' || url.searchParams.has('password'))
}

function assertAddress(url: string): void {
  try {
    assertDatabase(url)
  } catch (error) {
    throw new Error(`the URL ${(error as Error).message}`, { cause: error })
  }
}
