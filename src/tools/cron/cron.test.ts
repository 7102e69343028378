import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseLine, passedBy } from './lines.ts'
import { parseRunName } from './recorder.ts'
import { renderCrontab } from './render.ts'
import { flawOf, nextRuns } from './schedule.ts'

describe('a line of a crontab', () => {
  it('is a job, a variable or nothing', () => {
    assert.deepEqual(parseLine('  # */5 * * * * no job'), { kind: 'none' })
    assert.deepEqual(parseLine(''), { kind: 'none' })
    assert.deepEqual(parseLine('PATH = /usr/bin:/bin'), {
      kind: 'variable',
      name: 'PATH',
      value: '/usr/bin:/bin',
    })
    assert.deepEqual(parseLine(`NAME="a b"`), { kind: 'variable', name: 'NAME', value: 'a b' })
    assert.deepEqual(parseLine('*/5\t1-3 * jan mon  php cron.php a%b'), {
      kind: 'job',
      schedule: '*/5 1-3 * jan mon',
      command: 'php cron.php a%b',
    })
    assert.deepEqual(parseLine('@daily FOO=bar run'), {
      kind: 'job',
      schedule: '@daily',
      command: 'FOO=bar run',
    })
    for (const wrong of ['* * * * *', 'php cron.php', '@often run', '@daily'])
      assert.equal(parseLine(wrong), undefined, wrong)
  })

  it('passes what follows the first % as input', () => {
    assert.deepEqual(passedBy('mail ada%Hello%world'), { script: 'mail ada', input: 'Hello\nworld\n' })
    assert.deepEqual(passedBy('date +\\%F'), { script: 'date +%F', input: '' })
  })
})

describe('a schedule', () => {
  it('is refused with the field that is wrong', () => {
    for (const right of ['* * * * *', '0-59/2 0,12 1-31 1,jan,dec 0-7', '@reboot', '*/15 * * * mon-fri'])
      assert.equal(flawOf(right), undefined, right)
    for (const [wrong, flaw] of [
      ['60 * * * *', 'the minute 60 is above 59'],
      ['* 24 * * *', 'the hour 24 is above 23'],
      ['* * 32 * *', 'the day of the month 32 is above 31'],
      ['* * * 13 *', 'the month 13 is above 12'],
      ['* * * * 8', 'the day of the week 8 is above 7'],
      ['* * * * L', 'the day of the week L is not one'],
      ['? * * * *', 'the minute ? is not one'],
      ['1,,2 * * * *', 'the minute 1,,2 is not one'],
      ['* * 0 * *', 'the day of the month 0 is below 1'],
      [
        '* * * * mon-sun',
        'the day of the week mon-sun ends before it begins: cron has no ranges that wrap around',
      ],
      ['* 22-2 * * *', 'the hour 22-2 ends before it begins: cron has no ranges that wrap around'],
      ['5/15 * * * *', 'the minute 5/15 has a step without a range: write 5-59/15'],
      ['*/0 * * * *', 'the minute */0 has a step of 0'],
    ] as const)
      assert.equal(flawOf(wrong), flaw)
    assert.notEqual(flawOf('5-1 * * * *'), undefined)
  })

  const next = (schedule: string, timeZone = 'UTC', count = 2) =>
    nextRuns(schedule, new Date('2026-11-24T10:00:00Z'), { timeZone, count }).map((each) =>
      each.toISOString(),
    )

  it('tells its next runs in a time zone', () => {
    assert.deepEqual(next('30 2 * * *', 'Europe/Berlin'), [
      '2026-11-25T01:30:00.000Z',
      '2026-11-26T01:30:00.000Z',
    ])
    assert.deepEqual(next('@hourly'), ['2026-11-24T11:00:00.000Z', '2026-11-24T12:00:00.000Z'])
    assert.deepEqual(next('@reboot'), [])
  })

  it('reads names, ranges and steps as cron does', () => {
    assert.deepEqual(next('0 0 * * sun-mon'), ['2026-11-29T00:00:00.000Z', '2026-11-30T00:00:00.000Z'])
    assert.deepEqual(next('0 0 * * 5-7/2'), ['2026-11-27T00:00:00.000Z', '2026-11-29T00:00:00.000Z'])
    assert.deepEqual(next('*/45 11 * * *'), ['2026-11-24T11:00:00.000Z', '2026-11-24T11:45:00.000Z'])
    assert.deepEqual(next('0 0 1 dec-12 *', 'UTC', 1), ['2026-12-01T00:00:00.000Z'])
  })

  it('runs on a day of the month or of the week, or on both where one begins with *', () => {
    assert.deepEqual(next('0 0 1 * fri'), ['2026-11-27T00:00:00.000Z', '2026-12-01T00:00:00.000Z'])
    assert.deepEqual(next('0 0 */10 * tue', 'UTC', 1), ['2026-12-01T00:00:00.000Z'])
  })
})

describe('the file of a crontab', () => {
  const site = { siteId: 5, domain: 'a.example.com', username: 'ada' }

  it('names the owner in each job, and changes nothing else of it', () => {
    const text = 'MAILTO=ada\nSHELL=/bin/bash\n# nightly\n5 4 * * *   php cron.php --x="a;b" %in\n@daily true'
    assert.equal(
      renderCrontab({ ...site, text }),
      `# Website 5, a.example.com. Written by Hostreeve: edit the crontab in the panel.
SHELL=/usr/local/lib/hostreeve/cron-shell
HOSTREEVE_CRON=5
MAILTO=""
MAILTO="ada"
HOSTREEVE_SHELL="/bin/bash"
# nightly
5 4 * * * ada php cron.php --x="a;b" %in
@daily ada true
`,
    )
  })

  it('is not made of lines or accounts that cron would take for others', () => {
    for (const text of ['* * * * * a\rb', 'no job', '* * * * * a\0'])
      assert.throws(() => renderCrontab({ ...site, text }), /does not accept/)
    for (const username of ['root x', 'Root', '-a', 'a\nb'])
      assert.throws(() => renderCrontab({ ...site, username, text: '' }), /cannot run as/)
  })
})

it('a run is found by its name', () => {
  const found = parseRunName('1700000000-1700000003-1-0123456789abcdef-cron')
  assert.deepEqual(
    [found?.status, found?.startedBy, found?.endedAt.getTime()],
    [1, 'cron', 1_700_000_003_000],
  )
  for (const other of ['running-1-2.output', '../x', '1-2-3-x-cron', '1-2-3-0123456789abcdef-a b'])
    assert.equal(parseRunName(other), undefined)
})
