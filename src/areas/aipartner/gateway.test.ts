import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import { type ScriptedAccount, scriptSystemd } from '../../host/testing/scripted-host.ts'
import type { RunResult } from '../../host/run.ts'
import type { Script } from '../../host/testing/scripted-run.ts'
import { gatewayToken, secret, type StandInPartner, startPartner } from './testing/partner.ts'

const folder = '/var/lib/hostreeve-partner'
const unit = '/etc/systemd/system/hostreeve-partner.service'
const modules = '/usr/local/lib/node_modules/pm2'
const content = 'console.log("the gateway")\n'
const sha256 = createHash('sha256').update(content).digest('hex')
const installed = { content, sha256, version: '1.4.0' }
const idle = { isActive: false, isEnabled: false }

describe('the gateway', () => {
  const accounts = new Map<string, ScriptedAccount>()
  const services = new Map([
    ['nginx', { isActive: true, isEnabled: true }],
    ['hostreeve-partner', { ...idle }],
  ])
  let failing: Script = () => undefined
  let ofPm2: (args: readonly string[]) => Partial<RunResult> = () => ({})
  const adding: Script = ([program, ...args]) => {
    if (program !== 'useradd' || !args.includes('--system')) return undefined
    accounts.set(args.at(-1) ?? '', { uid: process.getuid?.() ?? 0 }) // files can be given to it
    return {}
  }
  const asPm2: Script = ([, program = '', ...args]) =>
    program.endsWith('/pm2/bin/pm2') ? ofPm2(args) : undefined
  let partner: StandInPartner
  let panel: TestPanel
  let keeper: Person
  before(async () => {
    partner = await startPartner()
    panel = await openTestPanel({
      accounts,
      scripts: [(...asked) => failing(...asked), adding, asPm2, scriptSystemd(services)],
      environment: { HOSTREEVE_PARTNER_API_URL: partner.url, HOSTREEVE_PARTNER_SECRET: secret },
    })
    mkdirSync(at('/etc/systemd/system'), { recursive: true })
    keeper = await panel.person({ permissions: ['administrative_operations'] })
    await panel.start()
  })
  after(async () => {
    await panel.close()
    await partner.close()
  })
  beforeEach(async () => {
    failing = () => undefined
    ofPm2 = ([, verb]) => (verb === 'jlist' ? { stdout: '[]' } : {})
    partner.asked.splice(0)
    partner.instead = () => false
    Object.assign(partner, { agent: installed })
    accounts.clear()
    Object.assign(services.get('hostreeve-partner') ?? {}, idle)
    rmSync(at(folder), { recursive: true, force: true })
    rmSync(at(unit), { force: true })
    mkdirSync(at(modules), { recursive: true })
    writeFileSync(at(`${modules}/package.json`), '{"name":"pm2","version":"7.0.4"}')
    await panel.store.db.deleteFrom('partner_gateway').execute()
    await panel.store.db.deleteFrom('jobs').where('kind', '=', 'aipartner.install').execute()
  })

  const at = (path: string) => `${panel.root}${path}`
  const text = (path: string) => readFileSync(at(path), 'utf8')
  const ask = (method: string, path: string, body?: unknown, as: Person = keeper) =>
    panel.request(method, `/api/aipartner/gateway${path}`, { as, ...(body !== undefined && { body }) })
  const status = async (query = '') => (await ask('GET', `/status${query}`)).json
  const begin = (token = gatewayToken) => ask('POST', '/install', { token })
  const install = async () => {
    const answer = await begin()
    assert.equal(answer.status, 202, answer.text)
    return until(async () => {
      const { install_status: state, ...rest } = await status('?include_log=1')
      return state === 'installing' ? undefined : { state, ...rest }
    })
  }
  const shownBy = (pm2_env: object) => {
    const listed = [
      { name: 'other', pm_id: 0, monit: { memory: 1, cpu: 1 }, pm2_env: { status: 'online' } },
      {
        name: 'partner-gateway',
        pm_id: 3,
        monit: { memory: 5_000_000, cpu: 1.5 },
        pm2_env: { env: { SECRET: 'of the environment' }, ...pm2_env },
      },
    ]
    ofPm2 = ([, verb]) => (verb === 'jlist' ? { stdout: JSON.stringify(listed) } : {})
  }
  const shown = ({ status: code, error }: { status: number; error: { code: string } }) => [code, error.code]

  it('is installed in the background, and run by PM2 as an account of its own', async () => {
    assert.deepEqual(await status(), { installed: false })
    const answer = await ask('POST', '/install', { token: ` ${gatewayToken} ` })
    assert.deepEqual([answer.status, answer.data.installing], [202, true])
    assert.match(answer.data.message, /include_log=1/)
    const end = await until(async () => {
      const now = await status('?include_log=1')
      return now.installed ? now : undefined
    })
    assert.equal(end.install_status, 'installed')
    assert.match(end.install_log, /Download http:.*gateway\.mjs/)
    assert.doesNotMatch(JSON.stringify(end), new RegExp(gatewayToken))
    assert.equal(text(`${folder}/gateway.mjs`), content)
    assert.equal(text(`${folder}/token`), gatewayToken)
    assert.equal(statSync(at(`${folder}/token`)).mode & 0o777, 0o600)
    const { apps } = JSON.parse(text(`${folder}/apps.json`))
    assert.deepEqual(apps[0].env, {
      PARTNER_API_URL: partner.url,
      PARTNER_TOKEN_FILE: `${folder}/token`,
    })
    assert.match(text(unit), /^User=hostreeve-partner$/m)
    assert.deepEqual(services.get('hostreeve-partner'), { isActive: true, isEnabled: true })
    assert.ok(accounts.has('hostreeve-partner'))
    const row = await panel.store.db.selectFrom('partner_gateway').selectAll().executeTakeFirstOrThrow()
    assert.equal(panel.store.unseal(row.sealed_token), gatewayToken)
  })

  it('has the figures of PM2 in its status, and never its environment', async () => {
    await install()
    shownBy({ status: 'online', pm_uptime: Date.now() - 60_000, restart_time: 2 })
    const { installed_at, uptime_ms, ...rest } = await status()
    assert.deepEqual(rest, {
      installed: true,
      install_status: 'installed',
      running: true,
      memory_bytes: 5_000_000,
      restart_count: 2,
      cpu_percent: 1.5,
      pm_id: 3,
      process_manager_status: 'online',
    })
    assert.ok(uptime_ms >= 60_000)
    assert.ok(Date.parse(installed_at) > 0)
    shownBy({ status: 'errored', pm_uptime: 1, restart_time: 16 })
    const { running, uptime_ms: none, process_manager_status: state } = await status()
    assert.deepEqual([running, none, state], [false, undefined, 'errored'])
  })

  it('has a status where PM2 does not run, or fails', async () => {
    await install()
    ofPm2 = () => ({ code: 1, stderr: '\u001b[31mcannot connect\u001b[39m' })
    const failed = await status()
    assert.deepEqual([failed.running, failed.last_error], [false, 'cannot connect'])
    Object.assign(services.get('hostreeve-partner') ?? {}, { isActive: false })
    ofPm2 = () => assert.fail('it would start a daemon of PM2')
    const stopped = await status()
    assert.deepEqual([stopped.running, stopped.process_manager_status], [false, 'not running'])
  })

  it('is not installed twice', async () => {
    await install()
    assert.deepEqual(shown(await begin()), [409, 'install_failed'])
  })

  it('is installed once, where two ask for it at once', async () => {
    const answers = await Promise.all([begin(), begin()])
    assert.deepEqual(answers.map((each) => each.status).toSorted(), [202, 409])
    assert.deepEqual(answers.filter((each) => each.status === 409).map(shown), [[409, 'install_failed']])
    await until(async () => (await status()).installed === true)
  })

  it('is not installed with a token that is empty, or that the partner refuses', async () => {
    for (const body of [{}, { token: '' }, { token: '  ' }, { token: 'two words' }, { token: 7 }])
      assert.deepEqual(shown(await ask('POST', '/install', body)), [400, 'bad_request'])
    assert.deepEqual(shown(await ask('POST', '/install', { token: 'x'.repeat(1001) })), [400, 'bad_request'])
    const { status: code, error } = await begin('not-the-token')
    assert.deepEqual([code, error.code], [400, 'install_failed'])
    assert.match(error.message, /^token: .*answered 401: the credential •+ is unknown/)
    assert.deepEqual(await status(), { installed: false })
  })

  it('is not installed without PM2', async () => {
    rmSync(at(modules), { recursive: true })
    const { status: code, error } = await begin()
    assert.deepEqual([code, error.code], [400, 'install_failed'])
    assert.match(error.message, /npm install --global/)
    assert.equal(partner.asked.length, 0)
  })

  it('names what the partner did', async () => {
    const refusing = (given: number, body: string) => {
      partner.instead = (_asked, reply) => Boolean(reply.writeHead(given).end(body))
    }
    refusing(500, '{}')
    assert.deepEqual(shown(await begin()), [502, 'partner_error'])
    refusing(200, '{"version":"1","url":"file:///etc/passwd","sha256":""}')
    assert.deepEqual(shown(await begin()), [502, 'partner_error'])
    partner.instead = (_asked, reply) => Boolean(reply.destroy())
    assert.deepEqual(shown(await begin()), [502, 'partner_unreachable'])
  })

  it('leaves nothing of an installation that fails, and tells why', async () => {
    Object.assign(partner, { agent: { ...installed, sha256: '0'.repeat(64) } })
    const wrong = await install()
    assert.deepEqual([wrong.state, wrong.installed], ['failed', false])
    assert.match(wrong.last_error, /SHA-256/)
    assert.match(wrong.install_log, /Download/)
    Object.assign(partner, { agent: installed })
    failing = (argv) =>
      argv.join(' ').includes('systemctl') && argv.includes('start')
        ? { code: 1, stderr: 'Job for hostreeve-partner.service failed.' }
        : undefined
    const unstarted = await install()
    assert.match(unstarted.last_error, /Job for hostreeve-partner.service failed/)
    for (const left of [folder, unit]) assert.ok(!existsSync(at(left)), left)
    assert.ok(!accounts.has('hostreeve-partner'))
    failing = () => undefined
    assert.equal((await install()).state, 'installed')
  })

  it('is restarted and stopped through PM2', async () => {
    await install()
    const ran: string[] = []
    ofPm2 = (args) => {
      ran.push(args.join(' '))
      return args.includes('jlist') ? { stdout: '[]' } : { stdout: '\u001b[32m[PM2]\u001b[39m done\n' }
    }
    for (const verb of ['restart', 'stop']) {
      const { status: code, data } = await ask('POST', `/${verb}`)
      assert.deepEqual([code, data], [200, { output: '[PM2] done' }])
      assert.ok(ran.includes(`${verb} partner-gateway`))
    }
  })

  it('tells what PM2 printed where it failed', async () => {
    await install()
    ofPm2 = (args) =>
      args.includes('jlist')
        ? { stdout: '[]' }
        : { code: 1, stdout: '[PM2] trying\n', stderr: '[PM2][ERROR] Process not found\n' }
    for (const verb of ['restart', 'stop']) {
      const { status: code, error } = await ask('POST', `/${verb}`)
      assert.deepEqual([code, error.code], [500, 'process_manager_error'])
      assert.equal(error['output'], '[PM2] trying\n[PM2][ERROR] Process not found')
    }
  })

  it('is neither restarted nor stopped where it is not installed', async () => {
    for (const verb of ['restart', 'stop'])
      assert.deepEqual(shown(await ask('POST', `/${verb}`)), [500, 'process_manager_error'])
  })

  it('is started with its service where PM2 does not run', async () => {
    await install()
    Object.assign(services.get('hostreeve-partner') ?? {}, { isActive: false })
    ofPm2 = () => assert.fail('it would start a daemon of PM2')
    assert.match((await ask('POST', '/stop')).data.output, /does not run/)
    ofPm2 = () => ({ stdout: '[]' })
    assert.match((await ask('POST', '/restart')).data.output, /was started/)
    assert.equal(services.get('hostreeve-partner')?.isActive, true)
  })

  it('is removed with all that belongs to it, and may be installed again', async () => {
    await install()
    const { status: code, data } = await ask('DELETE', '')
    assert.deepEqual([code, data.uninstalled], [200, true])
    assert.match(data.output, /service hostreeve-partner was stopped and removed/)
    for (const left of [folder, unit]) assert.ok(!existsSync(at(left)), left)
    assert.deepEqual(services.get('hostreeve-partner'), idle)
    assert.ok(!accounts.has('hostreeve-partner'))
    assert.deepEqual(await status(), { installed: false })
    assert.deepEqual((await ask('DELETE', '')).data, {
      output: 'There was nothing to remove',
      uninstalled: true,
    })
    assert.equal((await install()).state, 'installed')
  })

  it('tells how far a removal came that failed', async () => {
    await install()
    failing = ([program]) => (program === 'userdel' ? { code: 8, stderr: 'userdel: it is used' } : undefined)
    const { status: code, error } = await ask('DELETE', '')
    assert.deepEqual([code, error.code], [500, 'uninstall_failed'])
    assert.match(String(error['output']), /was stopped and removed\n.*\n.*userdel: it is used$/s)
    failing = () => undefined
    assert.equal((await ask('DELETE', '')).status, 200)
  })

  it('is for administrators only', async () => {
    const ada = await panel.person()
    for (const [method, path] of [
      ['POST', '/install'],
      ['GET', '/status'],
      ['POST', '/restart'],
      ['POST', '/stop'],
      ['DELETE', ''],
    ] as const) {
      assert.deepEqual(shown(await ask(method, path, { token: gatewayToken }, ada)), [403, 'forbidden'])
      assert.equal((await panel.request(method, `/api/aipartner/gateway${path}`)).status, 401)
    }
  })
})
