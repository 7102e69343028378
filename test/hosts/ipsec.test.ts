import assert from 'node:assert/strict'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { strongswan } from '../../src/tools/index.ts'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { SignedIn } from './story/signed-in.ts'

const [leftAddress, rightAddress] = ['192.0.2.11', '192.0.2.12']
const base = '/api/vpn-gateway/ipsec'

/** The kernel of the machine need not have ESP: strongSwan carries the packets itself, through a tun device. */
async function carryInUserSpace(host: Host): Promise<void> {
  await host.must(['mkdir', '-p', '/dev/net', '/etc/strongswan.d'])
  await host.exec(['mknod', '/dev/net/tun', 'c', '10', '200'])
  const text = 'charon {\n  plugins {\n    kernel-libipsec {\n      load = yes\n    }\n  }\n}\n'
  await writeFile(join(host.rootPath, 'etc/strongswan.d/zz-tests.conf'), text)
  await host.exec(['systemctl', 'try-restart', 'strongswan'])
}

describe('an IPsec tunnel between two gateways', () => {
  let [left, right, client]: Host[] = []
  let [panel, other]: Panel[] = []
  let [admin, otherAdmin]: SignedIn[] = []
  before(async () => {
    left = await bootHost('left', {
      image: 'strongswan',
      addresses: [`${leftAddress}/24`, '10.1.0.1/24'],
      without: strongswan.packages,
    })
    right = await bootHost('right', { image: 'strongswan', addresses: [`${rightAddress}/24`, '10.2.0.1/24'] })
    client = await bootHost('client', { addresses: ['10.1.0.2/24'] })
    for (const host of [left, right]) {
      await carryInUserSpace(host)
      await host.must(['sysctl', '-w', 'net.ipv4.ip_forward=0']) // a new network may have that of this machine
    }
    await client.must(['ip', 'route', 'add', '10.2.0.0/24', 'via', '10.1.0.1'])
    const server = 'server { listen 10.2.0.1:8080; return 200 "$remote_addr\\n"; }\n'
    await writeFile(join(right.rootPath, 'etc/nginx/conf.d/probe.conf'), server)
    await right.must(['systemctl', 'restart', 'nginx'])
    panel = await startPanel(left)
    other = await startPanel(right)
    admin = await SignedIn.as(panel)
    otherAdmin = await SignedIn.as(other)
  })
  after(async () => {
    for (const host of [left, right, client]) await host?.remove()
  })

  const tunnelOf = async (of: SignedIn) => (await of.must('GET', `${base}/`))[0]
  const fetched = async () =>
    (await client!.exec(['curl', '--silent', '--max-time', '3', 'http://10.2.0.1:8080/'])).stdout.trim()
  const untilCarried = () =>
    poll('TCP to pass', 30_000, async () => ((await fetched()) === '10.1.0.2' ? true : undefined))
  const untilUp = () =>
    poll('the tunnel to be up', 60_000, async () =>
      (await tunnelOf(admin!)).status === 'up' && (await tunnelOf(otherAdmin!)).status === 'up'
        ? true
        : undefined,
    )
  const edit = async (of: SignedIn, set: object) => of.must('PUT', `${base}/${(await tunnelOf(of)).id}`, set)
  const restart = async () => admin!.ask('POST', `${base}/${(await tunnelOf(admin!)).id}/restart`)
  const routes = async (host: Host) => (await host.exec(['ip', 'route', 'show', 'table', '220'])).stdout
  const files = (host: Host) => readdir(join(host.rootPath, 'etc/swanctl/conf.d'))
  const rules = async () => (await right!.exec(['nft', 'list', 'table', 'inet', 'hostreeve'])).stdout

  it('follows the guide, and has no negotiation before the other side has the tunnel', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/ipsec.md'), 'utf8')
    const output = await runAll(left!, panel!, shellBlocks(guide))
    assert.match(output, /"state":"succeeded"/)
    const { shared_secret: masked, status } = await tunnelOf(admin!)
    assert.match(masked, /•/)
    assert.notEqual(status, 'up')
    assert.equal(await fetched(), '')
  })

  it('carries TCP between the networks once the other side has it too', async () => {
    const { change_id: change } = await otherAdmin!.must('POST', '/api/firewall/enable')
    await otherAdmin!.must('POST', `/api/firewall/changes/${change}/confirm?unproven=true`)
    await otherAdmin!.must('POST', '/api/firewall/rules', {
      ...{ action: 'allow', protocol: 'tcp', ports: ['8080'], sources: ['10.1.0.0/24'] },
    })
    const [{ shared_secret }] = await admin!.must('GET', `${base}/?reveal=1`)
    await otherAdmin!.must('POST', `${base}/`, {
      ...{ name: 'main', remote_ip: leftAddress, shared_secret, ike_version: 2 },
      ...{ local_subnet: '10.2.0.0/24', remote_subnet: '10.1.0.0/24' },
    })
    await poll('the firewall to admit the gateway', 15_000, async () =>
      (await rules()).includes('4500') ? true : undefined,
    )
    assert.match(
      await rules(),
      new RegExp(`ip saddr (?:\\{ )?${leftAddress}(?: \\})? udp dport \\{ 500, 4500 \\}`),
    )
    await untilUp()
    await untilCarried()
    assert.match(await routes(left!), /^10\.2\.0\.0\/24/m)
    assert.ok((await tunnelOf(admin!)).sent_bytes > 0)
    const [name = ''] = await files(left!)
    const path = join(left!.rootPath, 'etc/swanctl/conf.d', name)
    assert.equal((await stat(path)).mode & 0o777, 0o600)
  })

  for (const version of [1, 2])
    it(`tells why it is down with a wrong secret and a changed proposal, by IKEv${version}`, async () => {
      const { shared_secret } = (await admin!.must('GET', `${base}/?reveal=1`))[0]
      await edit(otherAdmin!, { ike_version: version })
      await edit(admin!, { ike_version: version })
      await untilUp()
      await edit(otherAdmin!, { shared_secret: 'another-secret-"}' })
      const wrong = await restart()
      assert.deepEqual([wrong.status, wrong.code], [502, 'negotiation_failed'])
      assert.match(wrong.message, /secret/)
      assert.equal(await fetched(), '')
      assert.match((await tunnelOf(otherAdmin!)).reason, /secret/)
      await edit(otherAdmin!, { shared_secret, dh_group: 'modp4096' })
      const changed = await restart()
      assert.deepEqual([changed.status, changed.code], [502, 'negotiation_failed'])
      assert.match(changed.message, /proposal/)
      assert.match((await tunnelOf(otherAdmin!)).reason, /proposal/)
      await edit(otherAdmin!, { dh_group: 'modp2048' })
      const again = await restart()
      assert.equal(again.status, 200, again.message)
      await untilUp()
      await untilCarried()
    })

  it('is up again after a start of both hosts, without a call', async () => {
    for (const host of [left, right]) {
      await host!.must(['systemctl', 'restart', 'strongswan'])
    }
    await untilUp()
    await untilCarried()
  })

  it('leaves nothing when it is disabled or removed', async () => {
    const { id } = await tunnelOf(admin!)
    await admin!.must('POST', `${base}/${id}/toggle`)
    assert.equal(await fetched(), '')
    assert.deepEqual(await files(left!), [])
    assert.equal(await routes(left!), '')
    assert.equal((await left!.must(['sysctl', '-n', 'net.ipv4.ip_forward'])).stdout.trim(), '0')
    await admin!.must('POST', `${base}/${id}/toggle`)
    await untilUp()
    await untilCarried()
    await admin!.must('DELETE', `${base}/${id}`)
    await otherAdmin!.must('DELETE', `${base}/${(await tunnelOf(otherAdmin!)).id}`)
    for (const host of [left!, right!]) {
      assert.deepEqual(await files(host), [])
      assert.equal(await routes(host), '')
      assert.doesNotMatch((await host.must(['swanctl', '--list-conns'])).stdout, /hostreeve/)
      assert.doesNotMatch((await host.must(['swanctl', '--list-sas'])).stdout, /hostreeve/)
    }
    await poll('the firewall to close the ports', 15_000, async () =>
      (await rules()).includes('4500') ? undefined : true,
    )
  })
})
