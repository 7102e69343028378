import { step } from '../../../core/change.ts'
import type { Tools } from '../../../tools/open-tools.ts'
import { accountHost } from '../hosts.ts'
import { chooseEncoding } from './encoding.ts'
import type { Engine } from './engine.ts'

/** MariaDB as an engine of databases. */
export const mariadbEngine = (mariadb: Tools['mariadb']): Engine => ({
  name: 'mariadb',
  title: 'MariaDB',
  longest: { name: 64, username: 80 },
  detect: () => mariadb.detect(),
  chooseEncoding: async (draft) =>
    chooseEncoding(await mariadb.findCollations(), draft, { charset: 'utf8mb4' }),
  accountHost,
  secretOf: (password) => mariadb.hashPassword(password),
  findDatabases: (names) => mariadb.findDatabases(names),
  findAccounts: (username) => mariadb.findAccounts(username),
  createDatabase: ({ name, charset, collation }) => [
    step(mariadb.steps.createDatabase, { name, charset: charset ?? '', collation: collation ?? '' }),
  ],
  dropDatabase: (args) => [step(mariadb.steps.dropDatabase, args)],
  setAccount: ({ secret, ...account }) => step(mariadb.steps.setAccount, { ...account, hash: secret }),
  exportDatabase: (args) => step(mariadb.steps.exportDatabase, args),
  importDatabase: (args) => step(mariadb.steps.importDatabase, args),
})
