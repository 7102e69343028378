import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { SignedIn } from './story/signed-in.ts'

const [address, otherAddress] = ['10.77.0.45', '10.77.0.46']
const [address6, otherAddress6] = ['fd00:77::45', 'fd00:77::46']

describe('the firewall beside firewalld, seen from another host', () => {
  let [host, other, panel, admin] = [{} as Host, {} as Host, {} as Panel, {} as SignedIn]
  let [formerTable, formerRules] = ['', '']
  before(async () => {
    ;[host, other] = await Promise.all([
      bootHost('firewalld1', { image: 'firewalld', addresses: [`${address}/24`] }),
      bootHost('firewalld2', { addresses: [`${otherAddress}/24`] }),
    ])
    const give = (to: Host, ip: string) =>
      to.must(['ip', 'address', 'add', `${ip}/64`, 'dev', 'eth0', 'nodad'])
    await Promise.all([give(host, address6), give(other, otherAddress6)])
    const servers = [8080, 9000, 9001]
      .map((port) => `server { listen ${port}; listen [::]:${port}; return 200 "here"; }\n`)
      .join('')
    await writeFile(join(host.rootPath, 'etc/nginx/conf.d/probe.conf'), servers)
    await host.must(['systemctl', 'restart', 'nginx'])
    await host.must(['systemctl', 'start', 'firewalld'])
    await host.must(['firewall-cmd', '--permanent', '--add-port=9000/tcp'])
    await host.must(['firewall-cmd', '--reload'])
    ;[formerTable, formerRules] = [await table(), await ownRules()]
    assert.notEqual(formerTable, '')
    panel = await startPanel(host, {
      env: { HOSTREEVE_HOST: '0.0.0.0', HOSTREEVE_TLS: 'off', HOSTREEVE_FIREWALL_CONFIRM_SECONDS: '10' },
    })
    admin = await SignedIn.as(panel)
  })
  after(async () => {
    await host.remove?.()
    await other.remove?.()
  })

  /** Empty in the moment of a reload. */
  const table = async () => (await host.exec(['nft', 'list', 'table', 'inet', 'firewalld'])).stdout
  const ownRules = async () => {
    const { stdout } = await host.must(['firewall-cmd', '--list-all-zones'])
    return stdout + (await readFile(join(host.rootPath, 'etc/firewalld/zones/public.xml'), 'utf8'))
  }
  const reaches = async (port: number, at = address) => {
    const url = `http://${at}:${port}/`
    const { code } = await other.exec(['curl', '--silent', '--output', '/dev/null', '--max-time', '1', url])
    return code === 0
  }
  const reaches6 = (port: number) => reaches(port, `[${address6}]`)
  const all = async () => [
    await Promise.all([8080, 9000, 9001].map((port) => reaches(port))),
    await Promise.all([8080, 9000, 9001].map((port) => reaches6(port))),
  ]
  const both = (one: readonly boolean[]) => [one, one]
  const become = (isWanted: () => Promise<boolean>, what: string) =>
    poll(what, 15_000, async () => ((await isWanted()) ? true : undefined))
  const confirm = (change: number) =>
    admin.must('POST', `/api/firewall/changes/${change}/confirm?unproven=true`)
  const status = () => admin.must('GET', '/api/firewall/status')
  const rule = (draft: object) => admin.must('POST', '/api/firewall/rules', { protocol: 'tcp', ...draft })

  it('is not enabled where that would lose rules of firewalld', async () => {
    await host.must(['firewall-cmd', '--add-port=9001/tcp'])
    const { status: code, error } = await admin.ask('POST', '/api/firewall/enable')
    assert.equal(code, 409)
    assert.match(String(error['message']), /not permanent/)
    assert.equal(await reaches(9001), true)
    await host.must(['firewall-cmd', '--remove-port=9001/tcp'])
  })

  it('is enabled before the rules of firewalld, which stay as they are', async () => {
    const { driver, other: active } = await status()
    assert.deepEqual([driver, active], ['firewalld', 'firewalld'])
    assert.equal(await reaches(7070), false)
    const { change_id: change } = await admin.must('POST', '/api/firewall/enable')
    assert.equal(await reaches(9000), true, 'firewalld allows it')
    await confirm(change)
    await become(() => reaches(7070), 'the port of the panel open')
    assert.deepEqual(await all(), both([false, true, false]))
    assert.equal(await ownRules(), formerRules)
  })

  it('opens what a rule allows over IPv4 and IPv6, and counts it', async () => {
    await rule({ action: 'allow', ports: ['8080'], sources: [otherAddress, otherAddress6] })
    assert.deepEqual(await all(), both([true, true, false]))
    const [first] = await admin.must('GET', '/api/firewall/rules')
    assert.ok(first.packets > 0, JSON.stringify(first))
  })

  it('drops a banned address, whatever the rules admit', async () => {
    await admin.must('POST', '/api/firewall/bans', { address: otherAddress })
    assert.equal(await reaches(8080), false)
    await admin.must('DELETE', `/api/firewall/bans/${otherAddress}`)
    assert.equal(await reaches(8080), true)
  })

  it('closes what firewalld allows, until the deadline where nobody confirms it and the panel was killed', async () => {
    const draft = { action: 'reject', ports: ['9000'], sources: [otherAddress], position: 1 }
    await rule(draft)
    assert.equal(await reaches(9000), false)
    await panel.kill9()
    await become(() => reaches(9000), 'port 9000 open')
    await panel.start()
    await become(async () => (await status()).pending === null, 'no change that waits')
    assert.equal(await reaches(9000), true)
    const { change_id: change, id } = await rule(draft)
    await confirm(change)
    assert.equal(await reaches(9000), false)
    await admin.must('DELETE', `/api/firewall/rules/${id}`)
    assert.equal(await reaches(9000), true)
  })

  it('is the same after a reload of firewalld, and after its start without the panel', async () => {
    await host.must(['firewall-cmd', '--reload'])
    assert.deepEqual((await all())[0], [true, true, false])
    await become(() => reaches6(8080), 'port 8080 open over IPv6')
    await panel.stop()
    await host.must(['systemctl', 'daemon-reload'])
    await host.must(['systemctl', 'restart', 'firewalld'])
    assert.deepEqual(await all(), both([true, true, false]))
    await panel.start()
  })

  it('leaves nothing in firewalld when it is disabled', async () => {
    await admin.must('POST', '/api/firewall/disable')
    await become(async () => (await table()) === formerTable, 'the table of firewalld as before')
    assert.deepEqual(await all(), both([false, true, false]))
    assert.equal(await ownRules(), formerRules)
    const { stdout } = await host.must([
      'find',
      '/etc/firewalld',
      '/etc/systemd/system',
      '-name',
      'hostreeve*.xml',
    ])
    assert.equal(stdout, '')
  })
})
