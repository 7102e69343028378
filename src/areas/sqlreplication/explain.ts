import type { Fix } from './model.ts'

interface Explanation {
  readonly explanation: string
  readonly fix: Fix
}

const differs =
  'The data of this replica differ from those of the primary, because something was changed here'

/** The errors at which replicas stop most often, by their numbers in MariaDB. */
const known: ReadonlyMap<number, Explanation> = new Map([
  [1062, { explanation: `${differs}: the row exists already`, fix: 'skip' }],
  [1032, { explanation: `${differs}: the row that the primary changed is missing`, fix: 'sync' }],
  [1007, { explanation: `${differs}: the database exists already`, fix: 'skip' }],
  [1008, { explanation: `${differs}: the database that the primary dropped is missing`, fix: 'skip' }],
  [1049, { explanation: `${differs}: the database is missing`, fix: 'sync' }],
  [1050, { explanation: `${differs}: the table exists already`, fix: 'sync' }],
  [1051, { explanation: `${differs}: the table that the primary dropped is missing`, fix: 'skip' }],
  [1054, { explanation: `${differs}: a column is missing`, fix: 'sync' }],
  [1146, { explanation: `${differs}: the table is missing`, fix: 'sync' }],
  [1396, { explanation: `${differs}: an account exists already, or is missing`, fix: 'skip' }],
  [
    1950,
    {
      explanation:
        'Something was changed on this replica, so that its changes and those of the primary are no longer one sequence',
      fix: 'sync',
    },
  ],
  [1236, { explanation: 'The primary no longer has the changes that this replica needs next', fix: 'sync' }],
  [1593, { explanation: 'Both servers have the same server id', fix: 'connect' }],
  [
    1045,
    {
      explanation: 'The primary refuses the account of this replica: it was removed or has another password',
      fix: 'connect',
    },
  ],
  [
    1698,
    {
      explanation: 'The primary refuses the account of this replica: it was removed or has another password',
      fix: 'connect',
    },
  ],
  [
    1130,
    {
      explanation: 'The primary admits no account from this host: that of this replica was removed',
      fix: 'connect',
    },
  ],
  [1021, { explanation: 'The disk of this host is full', fix: 'restart' }],
  [2002, { explanation: 'The primary cannot be reached', fix: 'wait' }],
  [
    2003,
    {
      explanation: 'The primary cannot be reached: it is stopped, or its port is closed by a firewall',
      fix: 'wait',
    },
  ],
  [2005, { explanation: 'The name of the primary cannot be found', fix: 'wait' }],
  [2013, { explanation: 'The connection to the primary was lost', fix: 'wait' }],
  [2026, { explanation: 'The primary has another certificate than the pinned one', fix: 'connect' }],
])

/** Says what an error of a replica means, and what mends it. */
export function explain(error: { readonly number: number; readonly isApplyError: boolean }): Explanation {
  const found = known.get(error.number)
  if (found !== undefined) return found
  return error.isApplyError
    ? { explanation: 'A change of the primary could not be applied here', fix: 'sync' }
    : { explanation: 'The changes of the primary cannot be received', fix: 'wait' }
}
