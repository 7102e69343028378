import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fingerprintOf } from './fingerprint.ts'
import { aggregateSlowLog } from './slow-log.ts'

// as MariaDB 10.11 writes it
const log = `/usr/sbin/mariadbd, Version: 10.11.14-MariaDB-0+deb12u2-log (Debian 12). started with:
Tcp port: 3306  Unix socket: /run/mysqld/mysqld.sock
Time\t\t    Id Command\tArgument
# Time: 261127 23:40:01
# User@Host: shop[shop] @ localhost []
# Thread_id: 31  Schema: shop  QC_hit: No
# Query_time: 2.000100  Lock_time: 0.000050  Rows_sent: 1  Rows_examined: 1000
# Rows_affected: 0  Bytes_sent: 64
use shop;
SET timestamp=1795822801;
select * from items where name = 'a' and id in (1, 2, 3);
# User@Host: root[root] @ localhost []
# Thread_id: 32  Schema:   QC_hit: No
# Query_time: 5.500000  Lock_time: 0.000000  Rows_sent: 1  Rows_examined: 0
# Rows_affected: 0  Bytes_sent: 57
SET timestamp=1795822802;
select sleep(5.5);
# Time: 261127 23:50:00
# User@Host: ann[ann] @  [192.0.2.7]
# Thread_id: 33  Schema: shop  QC_hit: No
# Query_time: 1.000000  Lock_time: 0.500000  Rows_sent: 2  Rows_examined: 10
# Rows_affected: 0  Bytes_sent: 64
SET timestamp=1795823400;
SELECT * FROM items
WHERE name = "it''s \\" -- b" AND id IN (7);
/usr/sbin/mariadbd, Version: 10.11.14-MariaDB-0+deb12u2-log (Debian 12). started with:
Tcp port: 3306  Unix socket: /run/mysqld/mysqld.sock
Time\t\t    Id Command\tArgument
`

test('groups the entries of a log by the shape of their statements', () => {
  const [slowest, items, ...rest] = aggregateSlowLog(log)
  assert.deepEqual(rest, [])
  assert.deepEqual(
    [slowest?.fingerprint, slowest?.count, slowest?.totalSeconds, slowest?.databases, slowest?.users],
    ['select sleep(?)', 1, 5.5, [], ['root']],
  )
  assert.deepEqual(items, {
    fingerprint: 'select * from items where name = ? and id in (?)',
    count: 2,
    totalSeconds: 3.0001,
    maxSeconds: 2.0001,
    lockSeconds: 0.50005,
    rowsSent: 3,
    rowsExamined: 1010,
    databases: ['shop'],
    users: ['ann', 'shop'],
  })
})

test('reads a log that begins in the midst of an entry, is broken off, or is none', () => {
  assert.equal(aggregateSlowLog(log.slice(log.indexOf('# Thread_id: 31'))).length, 2)
  assert.equal(aggregateSlowLog(log.slice(0, log.indexOf('use shop;'))).length, 0)
  assert.deepEqual(aggregateSlowLog(''), [])
  assert.deepEqual(aggregateSlowLog('\u0000\u00ff# User@Host'), [])
})

for (const [statement, shape] of [
  ["create user 'a'@'%' identified by 'secret'", 'create user ?@? identified by ?'],
  ["insert into t values (1, 'a'), (2, 'b'),\n (3, null)", 'insert into t values (?), (?, null)'],
  ['select 0xDEADBEEF, -1.5e3, t1.c2 from `T1`', 'select ?, ?, t1.c2 from `t1`'],
  ["select 'never closed", 'select ?'],
  ['select 1 /* token=abc */ -- def\n, 2 # ghi', 'select ? , ?'],
  ['select \'a\\\'secret\', "b""secret"', 'select ?, ?'],
] as const)
  test(`leaves the values out of ${statement.replaceAll('\n', ' ')}`, () => {
    const found = fingerprintOf(statement)
    assert.equal(found.replace(', …', ''), shape)
    assert.doesNotMatch(found, /secret|abc|ghi/)
  })
