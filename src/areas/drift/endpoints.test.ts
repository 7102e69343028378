import assert from 'node:assert/strict'
import { chmodSync, chownSync, statSync, symlinkSync, truncateSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { quiet } from '../../changes/testing/parcel.ts'
import type { EditedTool } from '../../host/apply/edited-tool.ts'
import { openFiles } from '../../host/files.ts'
import { stamped } from '../../host/apply/stamp.ts'
import {
  type ScriptedAccount,
  scriptAccounts,
  scriptPackages,
  scriptSystemd,
} from '../../host/testing/scripted-host.ts'
import type { Script } from '../../host/testing/scripted-run.ts'
import { credentialsPath } from '../../tools/exim/layout.ts'
import { placeExim } from '../../tools/exim/testing/stand-in.ts'
import { rulePath } from '../../tools/log-forwarding/layout.ts'
import { scriptRsyslogd } from '../../tools/log-forwarding/testing/stand-in.ts'
import { openRecorder } from './recorder.ts'

const skip = process.getuid?.() !== 0 && 'only root can give files to root'
const path = rulePath('remote')
const unknown = `file-${'0'.repeat(24)}`

/** A program whose file people edit too, of a version of the panel that had steps for it. */
const shop: EditedTool = {
  name: 'shop',
  kind: 'edited',
  path: '/etc/shop.conf',
  checkCommand: ['shop', '-t'],
  assertAvailable: async () => {},
  check: async () => undefined,
  activate: async () => ({ outcome: 'live', message: '' }),
  isServed: async () => true,
}

const setRights: Script = ([program, ...args]) => {
  const [value = '', target = ''] = args.slice(-2)
  const [uid = 0, gid = 0] = value.split(':').map(Number)
  if (program === 'chown') chownSync(target, uid, gid)
  else if (program === 'chmod') chmodSync(target, Number.parseInt(value, 8))
  else return undefined
  return {}
}

describe('drift', { skip }, () => {
  const accounts = new Map<string, ScriptedAccount>()
  const services = new Map([['cron', { isActive: false, isEnabled: false }]])
  const packages = ['rsyslog', 'rsyslog-gnutls', 'keepalived'].map((name) => [name, '1.0-1'] as const)
  let panel: TestPanel
  let forbidden = 'refused.example.com'
  let isLocked = false
  before(async () => {
    panel = await openTestPanel({
      scripts: [
        ([program]) => (program === 'usermod' && isLocked ? { code: 10, stderr: 'busy' } : undefined),
        setRights,
        scriptRsyslogd(() => forbidden),
        scriptPackages(new Map(packages)),
        scriptAccounts(accounts),
        scriptSystemd(services),
      ],
    })
    await panel.host.files.makeDirectory('/etc/rsyslog.d')
  })
  after(() => panel.close())

  const ask = (method: string, at = '', as = panel.admin) => panel.request(method, `/api/drift${at}`, { as })
  const forward = async (body: object) => {
    const at = '/api/settings/remote-logging?overwrite=true'
    const { status, error } = await panel.request('POST', at, { as: panel.admin, body })
    assert.equal(status, 200, JSON.stringify(error))
  }
  const send = (port: number) => forward({ enabled: true, server: 'logs.example.com', port })
  const itemOf = async (name: string) => {
    const { status, data, error } = await ask('GET')
    assert.equal(status, 200, JSON.stringify(error))
    return data.items.find((each: { name: string }) => each.name === name)
  }
  const settle = async (name: string, how: 'adopt' | 'revert') => {
    const { id } = await itemOf(name)
    const { status, error } = await ask('POST', `/${id}/${how}`)
    assert.equal(status, 200, JSON.stringify(error))
    assert.equal(await itemOf(name), undefined)
  }
  const refusal = async (name: string, how: 'adopt' | 'revert') => {
    const { id } = await itemOf(name)
    const { status, error } = await ask('POST', `/${id}/${how}`)
    return [status, error.code]
  }
  const read = () => panel.host.files.read(path)
  const real = () => panel.host.files.real(path)
  const byHand = (text: string) => panel.host.files.write(path, text)

  test('is for superusers', async () => {
    const person = await panel.person({ permissions: ['administrative_operations'] })
    for (const [method, at] of [
      ['GET', ''],
      ['POST', '/check'],
      ['POST', `/${unknown}/adopt`],
      ['POST', `/${unknown}/revert`],
    ] as const) {
      assert.equal((await ask(method, at, person)).error.code, 'forbidden')
      assert.equal((await panel.request(method, `/api/drift${at}`)).status, 401)
    }
  })

  test('refuses ids of another form, and ids of nothing that differs', async () => {
    for (const verb of ['adopt', 'revert']) {
      assert.equal((await ask('POST', `/file-1/${verb}`)).status, 400)
      const { status, error } = await ask('POST', `/${unknown}/${verb}`)
      assert.deepEqual([status, error.code], [404, 'not_found'])
    }
    assert.equal((await ask('GET', '?state=other')).status, 400)
  })

  test('of a file that was edited is shown with its diff, and reverted after a plan', async () => {
    await send(514)
    assert.equal(await itemOf(path), undefined)
    const written = await read()
    await byHand(`${written}# mine\n`)
    const found = await itemOf(path)
    assert.deepEqual([found.state, found.program, found.revert_refusal], ['edited', 'log-forwarding', null])
    assert.match(found.diff, /^\+# mine$/m)
    const { data: plan } = await ask('POST', `/${found.id}/revert?plan=1`)
    assert.match(JSON.stringify(plan.steps), /-# mine/)
    assert.notEqual(await read(), written)
    await settle(path, 'revert')
    assert.equal(await read(), written)
  })

  test('of a file is adopted, until the panel writes it again', async () => {
    await send(514)
    await byHand('# mine\n')
    const { id } = await itemOf(path)
    const { data: plan } = await ask('POST', `/${id}/adopt?plan=1`)
    assert.match(plan.details[0], /compared with its present state/)
    await settle(path, 'adopt')
    assert.equal(await read(), '# mine\n')
    await byHand('# mine too\n')
    assert.notEqual((await itemOf(path)).id, id)
    await send(601)
    assert.equal(await itemOf(path), undefined)
  })

  test('of an adopted file is reverted to what was adopted, each time', async () => {
    await send(514)
    await byHand('# mine\n')
    await settle(path, 'adopt')
    const revertEdit = async () => {
      await byHand('# mine too\n')
      await settle(path, 'revert')
      assert.equal(await read(), '# mine\n')
    }
    await revertEdit()
    await revertEdit()
  })

  test('of a file that was removed, or came back, is reverted', async () => {
    await send(514)
    const written = (await read()) ?? ''
    await panel.host.files.remove(path)
    const missing = await itemOf(path)
    assert.equal(missing.state, 'missing')
    assert.match(missing.diff, /^-.*port="514"/m)
    await settle(path, 'revert')
    assert.equal(await read(), written)
    await panel.host.files.remove(path)
    symlinkSync(panel.host.files.real('/etc/secret'), real())
    await panel.host.files.write('/etc/secret', 'hidden\n')
    const { id } = await itemOf(path)
    assert.doesNotMatch(JSON.stringify(await ask('POST', `/${id}/revert?plan=1`)), /hidden/)
    await settle(path, 'revert')
    assert.equal(await read(), written)
    assert.equal(await panel.host.files.read('/etc/secret'), 'hidden\n')
    await panel.host.files.remove(path)
    await panel.host.files.makeDirectory(path)
    assert.deepEqual(await refusal(path, 'revert'), [409, 'not_revertible'])
    await panel.host.files.removeDirectory(path)
    await settle(path, 'revert')
    await forward({ enabled: false })
    assert.equal(await itemOf(path), undefined)
    await byHand(written)
    assert.equal((await itemOf(path)).state, 'unexpected')
    await settle(path, 'revert')
    assert.equal(await read(), undefined)
  })

  test('stays if the program refuses the former file, or the file is edited meanwhile', async () => {
    await send(514)
    await byHand('# mine\n')
    const { id } = await itemOf(path)
    forbidden = 'port="514"'
    assert.deepEqual(await refusal(path, 'revert'), [500, 'revert_failed'])
    forbidden = 'refused.example.com'
    assert.equal(await read(), '# mine\n')
    await byHand('# mine too\n')
    assert.equal((await ask('POST', `/${id}/revert`)).status, 404)
    await settle(path, 'revert')
  })

  const rightsNow = () => {
    const { mode, uid, gid } = statSync(real())
    return [mode & 0o7777, uid, gid]
  }

  test('of the mode or the owner of a file is shown, and reverted alone', async () => {
    await send(514)
    const written = await read()
    chmodSync(real(), 0o666)
    chownSync(real(), 1000, 1000)
    const { id, state, diff, rights, adopt_refusal, revert_refusal } = await itemOf(path)
    assert.deepEqual([state, diff, revert_refusal], ['edited', '', null])
    assert.deepEqual(rights, { wanted: '0644 0:0', present: '0666 1000:1000' })
    assert.match(adopt_refusal, /others than root could write to it/)
    const { data: plan } = await ask('POST', `/${id}/revert?plan=1`)
    assert.deepEqual(plan.steps[0].commands.at(-1), ['chmod', '--', '0644', path])
    await settle(path, 'revert')
    assert.deepEqual(rightsNow(), [0o644, 0, 0])
    assert.equal(await read(), written)
  })

  test('of a mode by which others could write is not adopted, and of another one is', async () => {
    await send(514)
    chmodSync(real(), 0o664)
    assert.deepEqual(await refusal(path, 'adopt'), [409, 'not_adoptable'])
    await byHand('# mine\n')
    assert.deepEqual(await refusal(path, 'adopt'), [409, 'not_adoptable'], 'with its content neither')
    await settle(path, 'revert')
    chmodSync(real(), 0o600)
    await settle(path, 'adopt')
    assert.deepEqual(rightsNow(), [0o600, 0, 0])
    chmodSync(real(), 0o644)
    await settle(path, 'revert')
    assert.deepEqual(rightsNow(), [0o600, 0, 0])
  })

  test('of a mode stays after a change of the panel that keeps it, and a removed file has its mode again', async () => {
    chmodSync(real(), 0o646)
    await send(601)
    assert.deepEqual((await itemOf(path)).rights, { wanted: '0600 0:0', present: '0646 0:0' })
    await settle(path, 'revert')
    await panel.host.files.remove(path)
    await settle(path, 'revert')
    assert.deepEqual(rightsNow(), [0o600, 0, 0])
    chmodSync(real(), 0o644)
    await settle(path, 'adopt')
  })

  test('of a file that is too large to be read is shown without its lines, and the others stay listed', async () => {
    await send(514)
    truncateSync(real(), 17 * 1024 * 1024)
    const found = await itemOf(path)
    assert.match(
      found.diff,
      /too large to compare its lines\.\n-a smaller file\n\+17825792 bytes, sha256 [0-9a-f]{64}$/m,
    )
    assert.match(found.revert_refusal, /larger than 16 MiB: move it away/)
    assert.deepEqual(await refusal(path, 'revert'), [409, 'not_revertible'])
    const settings = await panel.request('GET', '/api/settings/remote-logging', { as: panel.admin })
    assert.deepEqual([settings.status, settings.data.state], [200, 'differs'])
    assert.equal((await ask('POST', '/check')).status, 200)
    await settle(path, 'adopt')
    truncateSync(real(), 18 * 1024 * 1024)
    const further = await itemOf(path)
    assert.match(further.diff, /^-17825792 bytes.*\n\+18874368 bytes/m)
    assert.match(further.revert_refusal, /has no copy of it/)
    await panel.host.files.remove(path)
    await settle(path, 'adopt')
    await send(514)
    assert.equal(await itemOf(path), undefined)
  })

  test('of a file that a change replaced is listed again once the change is undone', async () => {
    const [program] = panel.tools.managed.flatMap(({ program }) =>
      program.kind === 'owned' && program.name === 'log-forwarding' ? [program] : [],
    )
    assert.ok(program)
    await send(514)
    await byHand('# mine\n')
    await send(601)
    assert.equal(await itemOf(path), undefined)
    const former = { path, content: '# mine\n', isVerbatim: true }
    await panel.host.apply(program, [former], { overwrite: true })
    assert.match((await itemOf(path)).diff, /^-.*port="514"/m)
    await settle(path, 'revert')
  })

  test('is what others wrote between changes of one file by the panel, without secrets', async () => {
    const { files, applyEdit } = panel.host
    placeExim(panel.root)
    const [exim] = panel.tools.managed.flatMap(({ program }) =>
      program.kind === 'edited' && program.path === credentialsPath ? [program] : [],
    )
    assert.ok(exim)
    const [one, byHand, two] = ['one:ada:hidden\n', 'hand:ada:hidden\n', 'two:ada:hidden\n'] as const
    const add = (line: string) => applyEdit(exim, (text) => `${text}${line}`)
    await add(one)
    await files.write(credentialsPath, `${one}${byHand}`)
    await add(two)
    assert.equal(await files.read(credentialsPath), `${one}${byHand}${two}`)
    const { state, program, diff } = await itemOf(credentialsPath)
    assert.deepEqual([state, program], ['edited', 'exim'])
    assert.match(diff, /^ one:ada:•+\n\+hand:ada:•+\n two:ada:•+$/m)
    assert.doesNotMatch(diff, /hidden/)
    await settle(credentialsPath, 'revert')
    assert.equal(await files.read(credentialsPath), `${one}${two}`)
  })

  test('of a file whose program the panel does not know any more has no lines, and is adopted', async () => {
    const { files, applyEdit } = panel.host
    await applyEdit(shop, () => 'one\n')
    assert.equal(await itemOf(shop.path), undefined)
    await files.write(shop.path, 'one\nhidden\n')
    const { state, diff } = await itemOf(shop.path)
    assert.equal(state, 'edited')
    assert.match(diff, /^The lines are not shown/)
    assert.doesNotMatch(diff, /one|hidden/)
    assert.deepEqual(await refusal(shop.path, 'revert'), [409, 'not_revertible'])
    await settle(shop.path, 'adopt')
  })

  test('of a file that a program has of its own steps is shown without secrets, and adopted', async () => {
    const at = '/etc/keepalived/keepalived.conf'
    const { files } = panel.host
    const byOthers = openFiles(files.root)
    await files.makeDirectory('/etc/keepalived')
    await files.write(at, 'priority 100\nauth_pass hidden\n')
    assert.equal(await itemOf(at), undefined)
    await byOthers.write(at, 'priority 200\nauth_pass hidden\n')
    const { state, program, diff, revert_refusal } = await itemOf(at)
    assert.deepEqual([state, program], ['edited', 'keepalived'])
    assert.match(diff, /^-priority 100\n\+priority 200$/m)
    assert.doesNotMatch(diff, /hidden/)
    assert.match(revert_refusal, /save these again/)
    await settle(at, 'adopt')
    const prepared = await files.prepare(at, 'priority 300\n')
    await prepared.discard()
    assert.equal(await itemOf(at), undefined)
    await (await files.prepare(at, Buffer.from('priority 300\n'))).commit()
    assert.equal(await itemOf(at), undefined)
    await files.remove(at)
    assert.equal(await itemOf(at), undefined)
    await byOthers.write(at, 'priority 400\n')
    assert.equal((await itemOf(at)).state, 'unexpected')
    await settle(at, 'adopt')
    await panel.host.packages.remove(['keepalived'], {})
    await byOthers.remove(at)
    assert.equal(await itemOf(at), undefined)
  })

  test('of a service is reverted in each respect that the panel has set', async () => {
    await panel.host.services.act('cron', 'start')
    assert.equal(await itemOf('cron'), undefined)
    services.set('cron', { isActive: true, isEnabled: true })
    assert.equal(await itemOf('cron'), undefined, 'the panel never enabled or disabled it')
    await panel.host.services.act('cron', 'enable')
    services.set('cron', { isActive: false, isEnabled: false })
    assert.match((await itemOf('cron')).diff, /-running: yes/)
    await settle('cron', 'revert')
    assert.deepEqual(services.get('cron'), { isActive: true, isEnabled: true })
    services.delete('cron')
    assert.equal((await itemOf('cron')).state, 'missing')
    assert.deepEqual(await refusal('cron', 'revert'), [409, 'not_revertible'])
    await settle('cron', 'adopt')
  })

  test('of a service is settled by asking the panel for what others made of it, and found again after that', async () => {
    services.set('cron', { isActive: true, isEnabled: true })
    await panel.host.services.act('cron', 'disable')
    services.set('cron', { isActive: true, isEnabled: true })
    assert.match((await itemOf('cron')).diff, /^-starts at boot: no\n\+starts at boot: yes$/m)
    const { status } = await panel.request('POST', '/api/services/cron/enable', { as: panel.admin })
    assert.equal(status, 200)
    assert.equal(await itemOf('cron'), undefined)
    services.set('cron', { isActive: true, isEnabled: false })
    assert.match((await itemOf('cron')).diff, /^-starts at boot: yes\n\+starts at boot: no$/m)
    await settle('cron', 'revert')
  })

  test('is none if a service that the panel stopped is gone', async () => {
    services.set('cron', { isActive: true, isEnabled: true })
    await panel.host.services.act('cron', 'disable')
    await panel.host.services.act('cron', 'stop')
    services.delete('cron')
    assert.equal(await itemOf('cron'), undefined)
  })

  test('of an account is reverted where it is its shell or expiry alone', async () => {
    await panel.host.accounts.create('ada')
    assert.equal(await itemOf('ada'), undefined)
    const ada = accounts.get('ada') ?? assert.fail()
    ada.shell = '/bin/sh'
    ada.expires = '1'
    isLocked = true
    assert.deepEqual(await refusal('ada', 'revert'), [500, 'account_failed'])
    isLocked = false
    await settle('ada', 'revert')
    assert.deepEqual([ada.shell, ada.expires], ['/bin/bash', ''])
    ada.home = '/srv/ada'
    assert.deepEqual(await refusal('ada', 'revert'), [409, 'not_revertible'])
    await settle('ada', 'adopt')
    accounts.delete('ada')
    assert.match((await itemOf('ada')).revert_refusal, /useradd, the uid 1000 and the home \/srv\/ada/)
    await settle('ada', 'adopt')
  })

  test('is found by the check, which first records what the panel has written before', async () => {
    const source = (id: number) => `/etc/rsyslog.d/30-hostreeve-source-${id}.conf`
    await panel.host.files.write(source(1), stamped('# Source 1\n'))
    await panel.store.db.deleteFrom('drift_checks').execute()
    assert.equal((await ask('GET')).data.checked_at, null)
    await panel.store.db.updateTable('drift_states').set({ rights: null }).where('name', '=', path).execute()
    assert.deepEqual((await ask('POST', '/check')).data, { found: 0 })
    chmodSync(real(), 0o600)
    assert.equal((await itemOf(path)).rights.wanted, '0644 0:0', 'as the first check found it')
    chmodSync(real(), 0o644)
    await panel.host.files.write(source(2), stamped('# Source 1\n'))
    assert.equal((await itemOf(source(2))).state, 'unexpected')
    assert.deepEqual((await ask('POST', '/check')).data, { found: 1 })
    const { data } = await ask('GET', '?state=same')
    assert.ok(data.items.some((each: { name: string }) => each.name === source(1)))
    assert.equal(data.counts.unexpected, 1)
    const rows = async () =>
      (await panel.store.db.selectFrom('drift_found').select('name').execute()).map(({ name }) => name)
    assert.deepEqual(await rows(), [source(2)])
    await settle(source(2), 'adopt')
    assert.deepEqual(await rows(), [])
  })

  test('is none if the panel is killed before it has recorded what it did', async () => {
    const recorder = openRecorder({ store: panel.store, files: panel.host.files, log: quiet })
    const stopAndDie = () =>
      new Promise<void>((resolve) => {
        const stopping = recorder.switching('cron', 'stop', () => {
          resolve()
          return new Promise(() => {})
        })
        stopping.catch(assert.fail)
      })
    services.set('cron', { isActive: true, isEnabled: false })
    await panel.host.services.act('cron', 'start')
    await stopAndDie()
    assert.equal(await itemOf('cron'), undefined)
    services.set('cron', { isActive: false, isEnabled: false })
    assert.equal(await itemOf('cron'), undefined)
    await ask('POST', '/check')
    services.set('cron', { isActive: true, isEnabled: false })
    assert.match((await itemOf('cron')).diff, /^\+running: yes$/m)
    await settle('cron', 'adopt')
  })
})
