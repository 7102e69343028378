import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scratchRoot } from '../../../test/support/step-suite.ts'
import { openHost } from '../../host/index.ts'
import { on, scriptedRun } from '../../host/testing/scripted-run.ts'
import { findFate } from './main-log.ts'
import { parseQueue, readQueue } from './queue.ts'

const listing = ` 4m  2.9K 1vNCn2-00001Y-0A <root@web1.example.com> (www-data)
          ada@example.com
        D bob@example.com

25h   617 1vNCn2-00001Y-0B <> *** frozen ***
          root@web1.example.com

 0m       1vNCn2-00001Y-0C-x *** spool read error
`

test('parses messages with their recipients that wait', () => {
  const queued_at = '2026-11-23T17:30:48.000Z'
  assert.deepEqual(
    parseQueue(listing).map((each) => ({ ...each, queued_at })),
    [
      {
        id: '1vNCn2-00001Y-0A',
        queued_at,
        size_bytes: 2970,
        sender: 'root@web1.example.com',
        recipients: ['ada@example.com'],
        is_frozen: false,
      },
      {
        id: '1vNCn2-00001Y-0B',
        queued_at,
        size_bytes: 617,
        sender: '',
        recipients: ['root@web1.example.com'],
        is_frozen: true,
      },
    ],
  )
  assert.deepEqual(parseQueue(''), [])
})

test('reads the time of a message from its id', () => {
  assert.equal(parseQueue(' 0m 1 000001-00001Y-0A <>\n')[0]?.queued_at, '1970-01-01T00:00:01.000Z')
  assert.equal(parseQueue(' 0m 1 00000z-00001Y-0A <>\n')[0]?.queued_at, '1970-01-01T00:01:01.000Z')
})

test('lists the queue with the reason of the last attempt', async (t) => {
  const root = scratchRoot(t)
  const script = scriptedRun(on('exim4 -bpc', { stdout: '2\n' }), on('exim4 -bp', { stdout: listing }))
  const host = openHost({ root, run: script.run })
  await host.files.makeDirectory('/var/spool/exim4/msglog')
  await host.files.write(
    '/var/spool/exim4/msglog/1vNCn2-00001Y-0A',
    '2026-11-23 17:00:00 Received from root@web1 U=root P=local S=400\n2026-11-23 17:00:01 ada@example.com R=smarthost defer (111): Connection refused\n*** Frozen (delivery error message)\n',
  )
  // as with split_spool_directory
  await host.files.makeDirectory('/var/spool/exim4/msglog/2')
  await host.files.write(
    '/var/spool/exim4/msglog/2/1vNCn2-00001Y-0B',
    '2026-11-23 17:00:01 root@web1.example.com: relay not permitted\n',
  )
  const { total, messages } = await readQueue(host, 2)
  assert.equal(total, 2)
  assert.deepEqual(
    messages.map(({ reason }) => reason),
    [
      'ada@example.com R=smarthost defer (111): Connection refused',
      'root@web1.example.com: relay not permitted',
    ],
  )
})

test('says why the queue cannot be read', async () => {
  const failing = { code: 1, stderr: 'exim: permission denied' }
  const { run } = scriptedRun(on('exim4 -bpc', failing), on('exim4 -bp', failing))
  await assert.rejects(readQueue(openHost({ run }), 5), /permission denied/)
})

test('finds what became of one message among others', () => {
  const log = `2026-11-23 17:00:00 1vNCn2-00001Y-0A <= root@web1 U=root P=local S=400 id=mine@web1
2026-11-23 17:00:00 1vNCn2-00001Y-0B <= root@web1 U=root P=local S=400 id=other@web1
2026-11-23 17:00:01 1vNCn2-00001Y-0B plain authenticator failed H=mail.example.com [192.0.2.7] 535 Wrong
2026-11-23 17:00:01 1vNCn2-00001Y-0B ** bob@example.com: no
2026-11-23 17:00:01.123 +0000 [77] 1vNCn2-00001Y-0A => ada@example.com R=smarthost
2026-11-23 17:00:01 1vNCn2-00001Y-0A Completed
`
  assert.deepEqual(findFate(log, 'mine@web1'), {
    outcome: 'delivered',
    message: 'ada@example.com R=smarthost',
  })
  assert.deepEqual(findFate(log, 'other@web1'), {
    outcome: 'failed',
    message: 'plain authenticator failed H=mail.example.com [192.0.2.7] 535 Wrong; bob@example.com: no',
  })
  assert.equal(findFate(log, 'none@web1'), undefined)
  assert.equal(findFate('', 'mine@web1'), undefined)
})
