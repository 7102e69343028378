import { step } from '../../../core/change.ts'
import type { Tools } from '../../../tools/open-tools.ts'
import {
  longestDatabase,
  longestRole,
  standardEncoding,
  verifierOf,
} from '../../../tools/postgresql/index.ts'
import { HostInvalid } from '../problems.ts'
import { chooseEncoding } from './encoding.ts'
import type { Engine } from './engine.ts'

/** PostgreSQL as an engine of databases. */
export const postgresqlEngine = (postgresql: Tools['postgresql']): Engine => ({
  name: 'postgresql',
  title: 'PostgreSQL',
  longest: { name: longestDatabase, username: longestRole },
  detect: () => postgresql.detect(),
  chooseEncoding: async ({ charset, collation }) =>
    chooseEncoding(
      await postgresql.findCollations(),
      {
        ...(charset !== undefined && { charset: charset.toUpperCase() }),
        ...(collation !== undefined && { collation }),
      },
      standardEncoding,
    ),
  accountHost: (given) => {
    if (given === 'localhost') return given
    throw HostInvalid(
      `host: ${given} must be localhost: which hosts may connect to PostgreSQL is set in its file pg_hba.conf, for all users`,
    )
  },
  secretOf: (password) => verifierOf(password),
  findDatabases: async (names) => {
    const found = await postgresql.findDatabases(names)
    return new Map([...found].map(([name, each]) => [name, { ...each, rows: null, tables: null }]))
  },
  findAccounts: (username) => postgresql.findAccounts(username),
  createDatabase: ({ name, charset, collation }) => [
    step(postgresql.steps.createDatabase, { name, charset: charset ?? '', collation: collation ?? '' }),
  ],
  dropDatabase: (args) => [step(postgresql.steps.dropDatabase, args)],
  setAccount: ({ secret, username, database }) =>
    step(postgresql.steps.setAccount, { username, database, verifier: secret }),
  exportDatabase: (args) => step(postgresql.steps.exportDatabase, args),
  importDatabase: ({ definer: _definer, ...args }) => step(postgresql.steps.importDatabase, args),
  listDatabases: () => postgresql.listDatabases(),
  adoptDatabase: (args) => [step(postgresql.steps.adoptDatabase, args)],
})
