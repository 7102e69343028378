import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import { until } from '../../../test/support/until.ts'
import type { Script } from '../../host/testing/scripted-run.ts'

const isRoot = process.getuid?.() === 0
const account = { uid: isRoot ? 1001 : (process.getgid?.() ?? 1001) }

describe('the crontab of a website', () => {
  const names: string[] = []
  let fails = false
  const recorder: Script = (argv, { env }) => {
    const line = argv.join(' ')
    if (line.includes('.local/state/hostreeve/cron') && argv.includes('find'))
      return { stdout: names.map((name) => `${name}\n`).join('') }
    if (line.includes('.local/state/hostreeve/cron') && argv.includes('head')) return { stdout: 'printed\n' }
    if (!line.includes('cron-shell')) return undefined
    if (fails) return { code: 126, stderr: 'cannot run' }
    names.push(`1700000000-1700000001-3-0123456789abcdef-${env?.['HOSTREEVE_RUN']}`)
    return { code: 3 }
  }
  let panel: TestPanel
  let ada: Person
  let id: number
  before(async () => {
    panel = await openTestPanel({
      hasNginx: true,
      accounts: new Map([['ada', account]]),
      scripts: [recorder],
    })
    await panel.start()
    ada = await panel.person({
      username: 'ada',
      email: 'ada@example.com',
      permissions: ['websites_management'],
    })
    mkdirSync(`${panel.root}/usr/sbin`, { recursive: true })
    writeFileSync(`${panel.root}/usr/sbin/cron`, '')
    mkdirSync(`${panel.root}/run`, { recursive: true })
    writeFileSync(`${panel.root}/run/crond.pid`, '')
    id = await addWebsite(panel, { domain: 'ada.example.com', userId: ada.id })
  })
  after(() => panel.close())

  const ask = (method: string, path = '', body?: unknown, as = ada) =>
    panel.request(method, `/api/websites/${id}/crontab${path}`, { as, ...(body !== undefined && { body }) })
  const put = (crontab: string, as = ada) => ask('PUT', '', { crontab }, as)
  const file = () => panel.host.files.read(`/etc/cron.d/hostreeve-site-${id}`)

  it('is empty at first', async () => {
    const { status, data } = await ask('GET')
    assert.equal(status, 200)
    assert.deepEqual([data.crontab, data.jobs, data.runs, data.reason], ['', [], [], null])
  })

  it('is kept as written, and given to cron with its owner', async () => {
    const text = 'MAILTO=ada@example.com\n# nightly\n0 4 * * *  php cron.php 10%\n@reboot true'
    const { status, data } = await put(`${text}\n`)
    assert.equal(status, 200)
    assert.equal(data.crontab, text)
    assert.deepEqual(
      data.jobs.map(({ line, schedule, command, next_runs }: any) => [
        line,
        schedule,
        command,
        next_runs.length,
      ]),
      [
        [3, '0 4 * * *', 'php cron.php 10%', 5],
        [4, '@reboot', 'true', 0],
      ],
    )
    assert.match((await file()) ?? '', /^0 4 \* \* \* ada php cron\.php 10%$/m)
  })

  it('is refused with the line that is wrong', async () => {
    for (const [text, message] of [
      ['true\n* * * *', /^crontab: line 1: must be five fields/],
      ['@daily true\n61 * * * * true', /^crontab: line 2: the minute 61 is above 59/],
      ['MAILTO=eve@example.com', /^crontab: line 1: MAILTO must be ada or ada@example\.com/],
      ['HOSTREEVE_CRON=1', /is a variable of the panel/],
      ['SHELL=sh -c', /SHELL must be an absolute path/],
      ['A="b"c"', /quotation mark/],
      ['@daily a\0b', /line 1: has a control character/],
      [`@daily ${'x'.repeat(1000)}`, /longer than 998 bytes/],
      ['# x\n'.repeat(10_000), /10001 lines|10000 lines/],
    ] as const) {
      const { status, error } = await put(text)
      assert.deepEqual([status, error.code], [400, 'bad_request'], text.slice(0, 40))
      assert.match(error.message, message)
    }
    assert.match((await file()) ?? '', /ada php cron/)
  })

  it('is for its owner and superusers', async () => {
    const eve = await panel.person({ username: 'eve', permissions: ['websites_management'] })
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PUT', '', { crontab: '' }],
      ['POST', '/run', { line: 1 }],
    ] as const) {
      assert.equal((await ask(method, path, body, eve)).status, 404)
      assert.equal((await ask(method, path, body, await panel.person())).status, 403)
    }
    assert.equal((await ask('GET', '', undefined, panel.admin)).status, 200)
  })

  it('has a line run at once, which shows among the last runs', async () => {
    const started = await ask('POST', '/run', { line: 3 })
    assert.equal(started.status, 202, started.text)
    const events = await panel.request('GET', `/api/jobs/${started.data.job_id}/events`, { as: ada })
    assert.match(events.text, /"state":"succeeded"/)
    const { runs } = (await ask('GET')).data
    assert.deepEqual(
      [runs[0].exit_status, runs[0].output, runs[0].started_by, runs[0].line],
      [3, 'printed\n', 'hand', null],
    )
    for (const line of [2, 900]) {
      const { status, error } = await ask('POST', '/run', { line })
      assert.deepEqual([status, error.code], [400, 'bad_request'])
      assert.match(error.message, /^line: line \d+ of the crontab is not a job/)
    }
    assert.equal((await ask('POST', '/run', { line: 0 })).status, 400)
  })

  it('tells why a line could not be run', async () => {
    fails = true
    const { data } = await ask('POST', '/run', { line: 4 })
    const events = await panel.request('GET', `/api/jobs/${data.job_id}/events`, { as: ada })
    assert.match(events.text, /It ended with 126: cannot run/) // run_failed, in the words of the shell
    fails = false
  })

  it('is away while the website is suspended, and says so', async () => {
    const suspended = await panel.request('POST', `/api/websites/${id}/suspend`, { as: ada })
    assert.equal(suspended.status, 200, suspended.text)
    assert.equal(await file(), undefined)
    assert.match((await ask('GET')).data.reason, /suspended/)
    await panel.request('POST', `/api/websites/${id}/unsuspend`, { as: ada })
    assert.match((await file()) ?? '', /ada php cron/)
  })

  it('says that cron does not run, or is missing', async () => {
    rmSync(`${panel.root}/run/crond.pid`)
    assert.match((await ask('GET')).data.reason, /does not run/)
    rmSync(`${panel.root}/usr/sbin/cron`)
    assert.equal((await ask('GET')).data.reason, 'the package cron is not installed')
  })

  it('ends with the last of its jobs', async () => {
    assert.equal((await put('# none')).status, 200)
    await until(async () => (await file()) === undefined)
  })
})
