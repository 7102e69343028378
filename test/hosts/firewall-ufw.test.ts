import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { SignedIn } from './story/signed-in.ts'

const address = '10.77.0.43'
const otherAddress = '10.77.0.44'

describe('the firewall beside ufw, seen from another host', () => {
  let [host, other, panel, admin] = [{} as Host, {} as Host, {} as Panel, {} as SignedIn]
  before(async () => {
    ;[host, other] = await Promise.all([
      bootHost('ufw1', { image: 'ufw', addresses: [`${address}/24`] }),
      bootHost('ufw2', { addresses: [`${otherAddress}/24`] }),
    ])
    const servers = [8080, 9000, 9001]
      .map((port) => `server { listen ${port}; return 200 "here"; }\n`)
      .join('')
    await writeFile(join(host.rootPath, 'etc/nginx/conf.d/probe.conf'), servers)
    await host.must(['systemctl', 'restart', 'nginx'])
    await host.must(['ufw', 'allow', '9000/tcp'])
    await host.must(['ufw', '--force', 'enable'], { timeoutMs: 60_000 })
    panel = await startPanel(host, {
      env: { HOSTREEVE_HOST: '0.0.0.0', HOSTREEVE_TLS: 'off', HOSTREEVE_FIREWALL_CONFIRM_SECONDS: '10' },
    })
    admin = await SignedIn.as(panel)
    const { job_id } = await admin.must('POST', '/api/programs/nftables/install')
    const last = (await admin.followJob(job_id)).at(-1)
    assert.equal(last?.['state'], 'succeeded', JSON.stringify(last))
  })
  after(async () => {
    await host.remove?.()
    await other.remove?.()
  })

  const reaches = async (port: number) => {
    const url = `http://${address}:${port}/`
    const { code } = await other.exec(['curl', '--silent', '--output', '/dev/null', '--max-time', '1', url])
    return code === 0
  }
  const become = (port: number, isOpen: boolean) =>
    poll(`port ${port} ${isOpen ? 'open' : 'closed'}`, 15_000, async () =>
      (await reaches(port)) === isOpen ? true : undefined,
    )
  const confirm = (change: number) =>
    admin.must('POST', `/api/firewall/changes/${change}/confirm?unproven=true`)
  const status = () => admin.must('GET', '/api/firewall/status')
  const rule = (draft: object) => admin.must('POST', '/api/firewall/rules', { protocol: 'tcp', ...draft })
  const ownRules = () => readFile(join(host.rootPath, 'etc/ufw/user.rules'), 'utf8')

  it('is enabled before the rules of ufw, which stay as they are', async () => {
    const { driver, other: active } = await status()
    assert.deepEqual([driver, active], ['ufw', 'ufw'])
    const former = await ownRules()
    const { change_id: change } = await admin.must('POST', '/api/firewall/enable')
    assert.equal(await reaches(9000), true, 'ufw allows it')
    await confirm(change)
    await become(7070, true)
    assert.deepEqual([await reaches(8080), await reaches(9000), await reaches(9001)], [false, true, false])
    assert.equal(await ownRules(), former)
    assert.match((await host.must(['ufw', 'status'])).stdout, /9000\/tcp\s+ALLOW/)
  })

  it('opens what a rule allows, and counts it', async () => {
    await rule({ action: 'allow', ports: ['8080'], sources: [otherAddress] })
    await become(8080, true)
    const [first] = await admin.must('GET', '/api/firewall/rules')
    assert.ok(first.packets > 0, JSON.stringify(first))
  })

  it('closes what ufw allows, until the deadline where nobody confirms it and the panel was killed', async () => {
    const draft = { action: 'reject', ports: ['9000'], sources: [otherAddress], position: 1 }
    await rule(draft)
    assert.equal(await reaches(9000), false)
    await panel.kill9()
    await become(9000, true)
    await panel.start()
    await poll('no change that waits', 15_000, async () =>
      (await status()).pending === null ? true : undefined,
    )
    assert.equal(await reaches(9000), true)
    const { change_id: change, id } = await rule(draft)
    await confirm(change)
    assert.equal(await reaches(9000), false)
    await admin.must('DELETE', `/api/firewall/rules/${id}`)
    assert.equal(await reaches(9000), true)
  })

  it('is the same after a restart of ufw, and leaves nothing in it when it is disabled', async () => {
    await host.must(['ufw', 'reload'], { timeoutMs: 60_000 })
    assert.deepEqual([await reaches(8080), await reaches(9000), await reaches(9001)], [true, true, false])
    await admin.must('POST', '/api/firewall/disable')
    assert.deepEqual([await reaches(8080), await reaches(9000)], [false, true])
    await poll('the files of ufw as before', 15_000, async () => {
      const { stdout } = await host.must(['dpkg', '--verify', 'ufw'])
      return stdout.includes('before') ? undefined : true
    })
  })
})
