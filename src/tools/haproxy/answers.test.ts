import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseProcesses } from './processes.ts'
import { parseForced } from './states.ts'
import { parseStats, parseStatuses } from './stats.ts'

test('parses the answers of HAProxy', () => {
  const list =
    '#<PID>          <type>          <reloads>       <uptime>        <version>      \n29720           master          3 [failed: 1]   0d00h00m05s     2.6.12\n# workers\n29834           worker          0               0d00h00m01s     2.6.12\n# old workers\n29700           worker          2               0d00h00m01s     2.6.12\n# programs\n\n'
  assert.deepEqual(parseProcesses(list), { master: 29720, reloads: 3, failed: 1, workers: [29834] })
  assert.equal(parseProcesses(''), undefined)
  const table = '# pxname,svname,status,last_chk,\na,b,DOWN 1/2,"said ""no"", twice",\n'
  const [row] = parseStats(table)!
  assert.deepEqual(
    [row!['pxname'], row!['svname'], row!['last_chk'], row!['scur']],
    ['a', 'b', 'said "no", twice', ''],
  )
  assert.deepEqual([...parseStatuses(table)], [['a/b', 'DOWN 1/2']])
  assert.deepEqual([...parseStatuses('Unknown command')], [])
  assert.equal(parseStats('Unknown command'), undefined)
  assert.deepEqual(
    parseForced(
      '1\n# be_id be_name srv_id srv_name srv_addr srv_op_state srv_admin_state\n3 app 1 a 127.0.0.1 2 8\n3 app 2 b 127.0.0.1 2 0\n3 app 3 c 127.0.0.1 0 33\n',
    ),
    [
      { backend: 'app', server: 'a', state: 'drain' },
      { backend: 'app', server: 'c', state: 'maint' },
    ],
  )
})
