import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recommendationsIn } from './report.ts'

// the end of a report of mysqltuner 1.9.9
const report = `-------- Storage Engine Statistics -----------------
[--] Status: +Aria +InnoDB
    not a recommendation

-------- Recommendations ---------------------------------------------------------------------------
General recommendations:
    MySQL was started within the last 24 hours: recommendations may be inaccurate
    Configure your accounts with ip or subnets only, then update your configuration with skip-name-resolve=ON
Variables to adjust:
    skip-name-resolve=ON
    innodb_log_file_size should be (=32M) if possible
`

test('reads what is recommended at the end of a report', () => {
  assert.deepEqual(recommendationsIn(report), [
    'MySQL was started within the last 24 hours: recommendations may be inaccurate',
    'Configure your accounts with ip or subnets only, then update your configuration with skip-name-resolve=ON',
    'skip-name-resolve=ON',
    'innodb_log_file_size should be (=32M) if possible',
  ])
  assert.equal(recommendationsIn('ERROR: cannot sign in\n'), undefined)
})
