import { run } from '../../../src/host/run.ts'
import { startMariadb } from '../../../src/host/testing/scratch-mariadb.ts'
import { dumpArgv } from '../../../src/tools/mariadb/dump.ts'
import { startPostgresql } from '../../../src/tools/postgresql/testing/scratch-postgresql.ts'

/** A scratch server with a database to measure, and what its own programs do. */
export interface MeasuredEngine {
  readonly title: string
  readonly engine: 'mariadb' | 'postgresql'
  /** Below `/api/databases`. */
  readonly base: '' | '/sqlalt'
  /** Fills a table of a database with rows of 1 KB. */
  fill(database: string, rows: number): Promise<void>
  /** Empties a database. */
  empty(database: string): Promise<void>
  /** The dump of a database, piped to gzip. */
  dump(database: string): Promise<void>
  /** That dump, unpacked and piped to the client. */
  load(database: string): Promise<void>
  /** The dump of a database, piped to the client of another. */
  copy(from: string, to: string): Promise<void>
  stop(): Promise<void>
}

const limitMs = 1_800_000

async function sh(script: string, options: Parameters<typeof run>[1] = {}): Promise<void> {
  const { code, stderr } = await run(['bash', '-o', 'pipefail', '-c', script], {
    timeoutMs: limitMs,
    ...options,
  })
  if (code !== 0) throw new Error(`${script.slice(0, 200)} ended with ${code}: ${stderr.slice(-1000)}`)
}

/** Starts MariaDB with a buffer that does not decide the figures. */
export async function openMariadb(folder: string) {
  const server = await startMariadb({
    args: ['--innodb-buffer-pool-size=256M', '--innodb-flush-log-at-trx-commit=2'],
  })
  const client = `mariadb --no-defaults --user=root --socket=${server.socketPath}`
  const file = `${folder}/reference.sql.gz`
  const dump = (database: string) => dumpArgv(server.socketPath, database).join(' ')
  const measured: MeasuredEngine = {
    title: 'MariaDB',
    engine: 'mariadb',
    base: '',
    fill: (database, rows) =>
      sh(client, {
        input: `create table ${database}.items (id int primary key, text varchar(2000));
          insert into ${database}.items select seq, concat(sha2(seq, 512), sha2(seq * 7, 512), repeat('lorem ipsum ', 62))
          from mysql.seq_1_to_${rows};`,
      }),
    empty: (database) => sh(client, { input: `create or replace database ${database};` }),
    dump: (database) => sh(`${dump(database)} | gzip > ${file}`),
    load: (database) => sh(`gunzip -c ${file} | ${client} ${database}`),
    copy: (from, to) => sh(`${dump(from)} | ${client} ${to}`),
    stop: () => server.stop(),
  }
  return { server, measured }
}

/** Starts PostgreSQL. */
export async function openPostgresql() {
  const server = await startPostgresql()
  const { place } = server
  const [account, programs] = [await place.account(), await place.programs()]
  const options = { cwd: place.socketFolder, ...(account && { as: account }) }
  const at = `--no-password --host=${place.socketFolder} --username=postgres`
  const client = `${programs}/psql ${at} --no-psqlrc --quiet --set=ON_ERROR_STOP=1`
  const dump = `${programs}/pg_dump ${at} --no-owner --no-privileges`
  const file = `${place.socketFolder}/reference.sql.gz`
  const measured: MeasuredEngine = {
    title: 'PostgreSQL',
    engine: 'postgresql',
    base: '/sqlalt',
    fill: (database, rows) =>
      sh(`${client} ${database}`, {
        ...options,
        input: `set role "${database}:owner"; create table items (id int primary key, text varchar(2000));
          insert into items select n, encode(sha256(n::text::bytea), 'hex') || repeat('lorem ipsum ', 78)
          from generate_series(1, ${rows}) n;`,
      }),
    empty: (database) => sh(`${client} ${database}`, { ...options, input: 'drop table if exists items;' }),
    dump: (database) => sh(`${dump} ${database} | gzip > ${file}`, options),
    load: (database) => sh(`gunzip -c ${file} | ${client} --single-transaction ${database}`, options),
    copy: (from, to) => sh(`${dump} ${from} | ${client} --single-transaction ${to}`, options),
    stop: () => server.stop(),
  }
  return { server, measured }
}
