import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { flawOf } from '../../src/tools/cron/index.ts'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'

const minuteMs = 60_000

describe('crontabs of websites', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ada: Owner
  let bob: Owner
  let adaSite: number
  let bobSite: number
  before(async () => {
    host = await bootHost('cron')
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await host.must(['systemctl', 'start', 'cron'])
    await admin.installNginx()
    ada = await admin.makeOwner('ada')
    bob = await admin.makeOwner('bob')
    const create = async (owner: Owner, domain: string) =>
      (await owner.signedIn.must('POST', '/api/websites', { domain, type: 'static' })).id
    adaSite = await create(ada, 'ada.example.com')
    bobSite = await create(bob, 'bob.example.com')
  })
  after(() => host?.remove())

  const read = async (owner: Owner, id: number) => owner.signedIn.must('GET', `/api/websites/${id}/crontab`)

  it('have the schedules that crontab(1) takes, but for those that never run', async () => {
    const items = [
      '*',
      '*/7',
      '3',
      '0',
      '7',
      '60',
      '2-5',
      '5-2',
      '1-9/3',
      '*/0',
      '1,',
      ',1',
      '1,2-4,*/9',
      'mon',
      'sun',
      'mon-sun',
      'sun-tue',
      'fri-7',
      'jan',
      'dec-12',
      'nov-feb',
      '31',
      '99',
      '-1',
      'x',
      '?',
      'L',
      '1-',
    ]
    const schedules = items.flatMap((item) =>
      [0, 1, 2, 3, 4].map((at) => ['*', '*', '*', '*', '*'].with(at, item).join(' ')),
    )
    const script =
      'while read -r line; do echo "$line true" | crontab -u games - 2>/dev/null && echo yes || echo no; done'
    const { stdout } = await host.must(['bash', '-c', script], { input: `${schedules.join('\n')}\n` })
    const taken = stdout.trim().split('\n')
    assert.equal(taken.length, schedules.length)
    for (const [index, schedule] of schedules.entries()) {
      const flaw = flawOf(schedule)
      const isRefused = taken[index] === 'no' || flaw?.includes('ends before it begins') === true
      assert.equal(flaw !== undefined, isRefused, `${schedule}: ${flaw}, crontab: ${taken[index]}`)
    }
    await host.must(['crontab', '-u', 'games', '-r'])
  })

  it('run at their times under their owners, with their variables, and show what they printed', async () => {
    await host.must(['crontab', '-u', 'ada', '-'], { input: '# by hand\n' })
    const crontab =
      'SHELL=/bin/bash\nGREETING="good morning"\n* * * * * cat; [[ -d ~ ]] && echo "$GREETING, $(id -un)"; exit 4%hello'
    await ada.signedIn.must('PUT', `/api/websites/${adaSite}/crontab`, { crontab })
    await bob.signedIn.must('PUT', `/api/websites/${bobSite}/crontab`, {
      crontab: '* * * * * cat /home/ada/.local/state/hostreeve/cron/*/*',
    })
    const runOf = (owner: Owner, id: number) => async () => (await read(owner, id)).runs[0]
    const run = await poll('the job to run', 1.5 * minuteMs, runOf(ada, adaSite))
    assert.deepEqual(
      [run.line, run.exit_status, run.output, run.started_by],
      [3, 4, 'hello\ngood morning, ada\n', 'schedule'],
    )
    const others = await poll('the job of the other to run', 1.5 * minuteMs, runOf(bob, bobSite))
    assert.notEqual(others.exit_status, 0)
    assert.doesNotMatch(others.output, /good morning/)
    assert.equal((await host.must(['crontab', '-u', 'ada', '-l'])).stdout.trim(), '# by hand')
  })

  it('do as the guide says', async () => {
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/crontab.md'), 'utf8'))
    assert.match(
      await runAll(host, panel, blocks),
      /"line":2,.*"exit_status":0,"output":"ada\\n","started_by":"hand"/,
    )
  })

  it('do not let their owner lead the panel to the files of others', async () => {
    const folder = `/home/ada/.local/state/hostreeve/cron/${adaSite}`
    const asAda = ['setpriv', '--reuid=ada', '--regid=ada', '--clear-groups', '--'] as const
    await host.must([
      ...asAda,
      'ln',
      '-s',
      '/etc/shadow',
      `${folder}/2000000000-2000000001-0-0123456789abcdef-cron`,
    ])
    await host.must([...asAda, 'mkdir', `${folder}/2000000002-2000000003-0-0123456789abcdef-cron`])
    const { runs } = await read(ada, adaSite)
    assert.ok(runs.length > 0)
    assert.doesNotMatch(JSON.stringify(runs), /root:/)
  })

  it('end with their website', async () => {
    await ada.signedIn.must('DELETE', `/api/websites/${adaSite}`)
    assert.notEqual((await host.exec(['ls', `/etc/cron.d/hostreeve-site-${adaSite}`])).code, 0)
  })
})
