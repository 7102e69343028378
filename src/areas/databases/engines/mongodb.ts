import { step } from '../../../core/change.ts'
import { BadRequest } from '../../../core/problem.ts'
import type { Tools } from '../../../tools/open-tools.ts'
import { EncodingUnknown, HostInvalid } from '../problems.ts'
import type { Engine } from './engine.ts'

const noEncoding = { charset: null, collation: null } as const

/** What SASLprep (RFC 4013) refuses, by which MongoDB prepares passwords. */
const prohibited =
  /[\p{Cc}\p{Cn}\p{Co}\p{Cs}\u0340\u0341\u200e\u200f\u2028-\u202e\u206a-\u206f\u2ff0-\u2ffb\ufff9-\ufffd]/u

/** MongoDB as an engine of databases: one comes into being with its first collection, its users are those that sign in to it. */
export const mongodbEngine = (mongodb: Tools['mongodb']): Engine => ({
  name: 'mongodb',
  title: 'MongoDB',
  longest: { name: 63, username: 80 },
  empty: { ...noEncoding, sizeBytes: 0, rows: 0, tables: 0 },
  detect: () => mongodb.detect(),
  chooseEncoding: async ({ charset, collation }) => {
    if (charset !== undefined || collation !== undefined)
      throw EncodingUnknown(
        `${charset === undefined ? 'collation' : 'charset'}: MongoDB has UTF-8 alone, and a collation for each collection`,
      )
    return noEncoding
  },
  accountHost: (given) => {
    if (given === 'localhost') return given
    throw HostInvalid(`host: ${given} must be localhost: an account of MongoDB is of no host`)
  },
  secretOf: (password) => {
    if (prohibited.test(password))
      throw BadRequest(
        'password: must be without control characters and unassigned ones of Unicode, which MongoDB refuses',
      )
    return password
  },
  findDatabases: async (names) => {
    const found = await mongodb.findDatabases(names)
    return new Map(
      [...found].map(([name, { sizeBytes, documents, collections }]) => [
        name,
        { ...noEncoding, sizeBytes, rows: documents, tables: collections },
      ]),
    )
  },
  findAccounts: async (username) =>
    (await mongodb.listAccounts())
      .filter((account) => account.username === username)
      .map(() => ({ username, host: 'localhost' })),
  createDatabase: () => [],
  dropDatabase: (args) => [step(mongodb.steps.dropDatabase, args)],
  setAccount: ({ secret, username, database }) =>
    step(mongodb.steps.setAccount, { username, database, password: secret }),
  exportDatabase: (args) => step(mongodb.steps.exportDatabase, args),
  importDatabase: ({ definer: _definer, label: _label, ...args }) => step(mongodb.steps.importDatabase, args),
  listDatabases: async () => (await mongodb.listDatabases()).map((each) => ({ ...each, owner: null })),
})
