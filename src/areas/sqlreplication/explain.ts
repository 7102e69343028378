import type { Fix } from './model.ts'

interface Explanation {
  readonly explanation: string
  readonly fix: Fix
}

type Meanings = readonly (readonly [number: number, explanation: string])[]

/** Something was changed on the replica by itself; leaving out the change of the primary makes both alike again. */
const changedHere: Meanings = [
  [1007, 'the database exists already'],
  [1008, 'the database that the primary dropped is missing'],
  [1051, 'the table that the primary dropped is missing'],
  [1060, 'the column exists already'],
  [1061, 'the index exists already'],
  [1062, 'the row exists already'],
  [1091, 'the column or index that the primary dropped is missing'],
  [1304, 'the procedure or function exists already'],
  [1305, 'the procedure or function is missing'],
  [1359, 'the trigger exists already'],
  [1360, 'the trigger that the primary dropped is missing'],
  [1396, 'an account exists already, or is missing'],
]

/** The same, but later changes would fail as well. */
const differsForLong: Meanings = [
  [1032, 'the row that the primary changed is missing'],
  [1049, 'the database is missing'],
  [1050, 'the table exists already'],
  [1054, 'a column is missing'],
  [1146, 'the table is missing'],
  [1451, 'rows of another table refer to the row that the primary removed'],
  [1452, 'the row that a new one refers to is missing'],
  [1677, 'a column has another type'],
]

const differs =
  'The data of this replica differ from those of the primary, because something was changed here'

const synchronisedAgain: Meanings = [
  [
    1950,
    'Something was changed on this replica, so that its changes and those of the primary are no longer one sequence',
  ],
  [1236, 'The primary no longer has the changes that this replica needs next'],
  [1594, 'What this replica has received is damaged on its disk'],
]

const accountRefused =
  'The primary refuses the account of this replica: it was removed or has another password'

const connectedAgain: Meanings = [
  [1045, accountRefused],
  [1698, accountRefused],
  [1130, 'The primary admits no account from this host: that of this replica was removed'],
  [1227, 'The account of this replica may no longer read the changes of the primary'],
  [1593, 'Both servers have the same server id'],
  [2026, 'The primary has another certificate than the pinned one'],
]

/** The cause is on this host; once it is mended, the replica goes on. */
const mendedHere: Meanings = [
  [1021, 'The disk of this host is full: free some space'],
  [1114, 'A table of this host is full: free some space, or raise the limit of its engine'],
  [1205, 'A row that the primary changed is locked here: end the connection that holds it'],
  [1213, 'A change of the primary and one of this host waited for each other'],
  [1273, 'This server lacks a collation that the primary uses: bring it to the version of the primary'],
  [1286, 'This server lacks a storage engine that the primary uses: install it'],
  [1595, 'What is received cannot be written to the disk of this host: free some space'],
]

/** The cause is on the primary; once it is mended, the replica goes on. */
const mendedThere: Meanings = [
  [1040, 'The primary has no connection left: raise the number of connections there'],
  [1129, 'The primary has blocked this host after many failed connections: flush its hosts there'],
]

const passing: Meanings = [
  [1053, 'The primary is shutting down'],
  [1158, 'The connection to the primary was lost'],
  [1159, 'The primary did not answer in time'],
  [1160, 'The connection to the primary was lost'],
  [2002, 'The primary cannot be reached'],
  [2003, 'The primary cannot be reached: it is stopped, or its port is closed by a firewall'],
  [2005, 'The name of the primary cannot be found'],
  [2006, 'The connection to the primary was lost'],
  [2013, 'The connection to the primary was lost'],
]

const entriesOf = (meanings: Meanings, fix: Fix, before = '') =>
  meanings.map(([number, text]) => [number, { explanation: `${before}${text}`, fix }] as const)

/** The errors at which replicas stop most often, by their numbers in MariaDB. */
const known: ReadonlyMap<number, Explanation> = new Map([
  ...entriesOf(changedHere, 'skip', `${differs}: `),
  ...entriesOf(differsForLong, 'sync', `${differs}: `),
  ...entriesOf(synchronisedAgain, 'sync'),
  ...entriesOf(connectedAgain, 'connect'),
  ...entriesOf(mendedHere, 'restart'),
  ...entriesOf(mendedThere, 'primary'),
  ...entriesOf(passing, 'wait'),
])

/** Says what an error of a replica means, and what mends it. */
export function explain(error: { readonly number: number; readonly isApplyError: boolean }): Explanation {
  const found = known.get(error.number)
  if (found !== undefined) return found
  return error.isApplyError
    ? { explanation: 'A change of the primary could not be applied here', fix: 'sync' }
    : { explanation: 'The changes of the primary cannot be received', fix: 'wait' }
}
