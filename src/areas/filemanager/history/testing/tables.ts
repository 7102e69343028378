import { createFileVersions } from '../migrations/202611220815-file-versions.ts'

/** Creates the tables that a history needs, with two users. */
export const migrations = [
  {
    name: '202600000000-users',
    statements: ['create table users (id integer primary key)', 'insert into users values (1), (2)'],
  },
  createFileVersions,
]

/** Makes a text that reveals if part of it is missing. */
export function textOf(turn: number): string {
  return `${`turn ${turn}\n`.repeat(5000)}end of ${turn}`
}
