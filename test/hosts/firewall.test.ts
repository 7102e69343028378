import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { golden } from '../../src/tools/nftables/golden/draft.ts'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { SignedIn } from './story/signed-in.ts'

const address = '10.77.0.41'
const otherAddress = '10.77.0.42'
const confirmSeconds = 10

describe('the firewall, seen from another host', () => {
  let [host, other, panel, admin] = [{} as Host, {} as Host, {} as Panel, {} as SignedIn]
  before(async () => {
    ;[host, other] = await Promise.all([
      bootHost('firewall1', { image: 'nftables', addresses: [`${address}/24`] }),
      bootHost('firewall2', { addresses: [`${otherAddress}/24`] }),
    ])
    const servers = [8080, 9000].map((port) => `server { listen ${port}; return 200 "here"; }\n`).join('')
    await writeFile(join(host.rootPath, 'etc/nginx/conf.d/probe.conf'), servers)
    await host.must(['systemctl', 'restart', 'nginx'])
    panel = await startPanel(host, {
      env: {
        HOSTREEVE_HOST: '0.0.0.0',
        HOSTREEVE_TLS: 'off',
        HOSTREEVE_FIREWALL_CONFIRM_SECONDS: String(confirmSeconds),
      },
    })
    admin = await SignedIn.as(panel)
  })
  after(async () => {
    await host.remove?.()
    await other.remove?.()
  })

  /** True if a new connection from the other host is answered. */
  const reaches = async (port: number, path = '/') => {
    const url = `http://${address}:${port}${path}`
    const { code } = await other.exec(['curl', '--silent', '--output', '/dev/null', '--max-time', '1', url])
    return code === 0
  }
  const become = (port: number, isOpen: boolean) =>
    poll(`port ${port} ${isOpen ? 'open' : 'closed'}`, 15_000, async () =>
      (await reaches(port)) === isOpen ? true : undefined,
    )
  /** Confirms over a new connection from the other host. */
  const confirm = async (change: number) => {
    const fresh = await KeptConnection.open(other, admin.token)
    return fresh.send('POST', `/api/firewall/changes/${change}/confirm`)
  }
  const status = () => admin.must('GET', '/api/firewall/status')
  const settled = () =>
    poll('no change that waits', 15_000, async () => ((await status()).pending === null ? true : undefined))
  const rule = (draft: object) => admin.must('POST', '/api/firewall/rules', { protocol: 'tcp', ...draft })
  const kept = () => readFile(join(host.rootPath, 'etc/hostreeve/firewall.nft'), 'utf8').catch(() => '')

  it('takes the golden file', async () => {
    const { code, stderr } = await host.exec(['nft', '-c', '-f', '-'], { input: golden() })
    assert.equal(code, 0, stderr)
  })

  it('is not enabled beside firewalld, whose table it leaves as it is', async () => {
    const foreign = 'table inet firewalld {\n\tchain filter_INPUT {\n\t\ttcp dport 23 drop\n\t}\n}\n'
    await host.must(['nft', '-f', '-'], { input: foreign })
    assert.equal((await status()).other, 'firewalld')
    const { status: code, error } = await admin.ask('POST', '/api/firewall/enable')
    assert.equal(code, 409)
    assert.match(String(error['message']), /firewalld/)
    assert.equal((await host.must(['nft', 'list', 'ruleset'])).stdout, foreign)
    await host.must(['nft', 'delete', 'table', 'inet', 'firewalld'])
  })

  it('is off again at the deadline, also where the panel was killed meanwhile', async () => {
    assert.ok(await reaches(8080))
    for (const isKilled of [false, true]) {
      await admin.must('POST', '/api/firewall/enable')
      assert.equal(await reaches(8080), false)
      if (isKilled) await panel.kill9()
      await become(8080, true)
      if (isKilled) {
        const { stdout } = await host.must(['nft', 'list', 'tables'])
        assert.equal(stdout.includes('hostreeve\n'), false)
        await panel.start()
      }
      await settled()
      assert.equal((await status()).enabled, false)
    }
    assert.equal(await kept(), '')
  })

  it('is confirmed over a new connection only, and kept for the next start', async () => {
    await rule({ action: 'allow', ports: ['8080'], comment: 'Probe' })
    const old = await KeptConnection.open(other, admin.token)
    await old.send('GET', '/api/version')
    const { change_id: change } = await admin.must('POST', '/api/firewall/enable')
    const refused = await old.send('POST', `/api/firewall/changes/${change}/confirm`)
    assert.match(refused, /^HTTP\/1\.1 409/)
    const local = await admin.ask('POST', `/api/firewall/changes/${change}/confirm`)
    assert.deepEqual([local.status, local.code], [409, 'connection_unproven'])
    assert.equal(await kept(), '')
    const blocked = await admin.ask('POST', '/api/firewall/rules', { action: 'allow', protocol: 'any' })
    assert.deepEqual([blocked.status, blocked.error['change_id']], [409, change])
    assert.match(await confirm(change), /^HTTP\/1\.1 200/)
    await poll(
      'the file for the next start',
      10_000,
      async () => (await kept()).includes('8080') || undefined,
    )
    assert.deepEqual([await reaches(8080), await reaches(9000)], [true, false])
    const { opened } = await status()
    assert.deepEqual(opened.map(({ port, name }: any) => [port, name]).slice(0, 2), [
      [7070, 'Panel'],
      [22, 'SSH'],
    ])
  })

  it('goes through the rules in their order, and counts', async () => {
    await rule({ action: 'allow', ports: ['9000'], sources: ['10.77.0.0/24'] })
    assert.ok(await reaches(9000))
    const denied = await rule({ action: 'reject', ports: ['9000'], sources: [otherAddress], position: 1 })
    assert.match(await confirm(denied.change_id), /^HTTP\/1\.1 200/)
    assert.equal(await reaches(9000), false)
    const [first] = await admin.must('GET', '/api/firewall/rules')
    assert.ok(first.packets > 0, JSON.stringify(first))
    assert.deepEqual(await admin.must('DELETE', `/api/firewall/rules/${denied.id}`), {
      change_id: null,
      confirm_before: null,
    })
    assert.ok(await reaches(9000))
  })

  it('answers a ping unless a rule denies ICMP', async () => {
    const pings = async () => (await other.exec(['perl', '-MSocket', '-e', ping, address])).code === 0
    assert.ok(await pings())
    const denied = await rule({ action: 'deny', protocol: 'icmp' })
    assert.match(await confirm(denied.change_id), /^HTTP\/1\.1 200/)
    assert.equal(await pings(), false)
    await admin.must('DELETE', `/api/firewall/rules/${denied.id}`)
    assert.ok(await pings())
  })

  it('limits new connections of an address', async () => {
    const limit = await rule({ action: 'limit', ports: ['9000'], rate: '3/minute', position: 1 })
    assert.match(await confirm(limit.change_id), /^HTTP\/1\.1 200/)
    const answers: boolean[] = []
    for (let count = 0; count < 5; count += 1) answers.push(await reaches(9000))
    assert.deepEqual([answers[0], answers.at(-1)], [true, false])
    await admin.must('DELETE', `/api/firewall/rules/${limit.id}`)
  })

  it('opens again what a rule for everything has closed, also where the panel was killed meanwhile', async () => {
    for (const isKilled of [false, true]) {
      await rule({ action: 'deny', protocol: 'any', position: 1 })
      assert.equal(await reaches(8080), false)
      assert.ok(await reaches(7070, '/readyz'), 'the panel is never closed')
      if (isKilled) await panel.kill9()
      await become(8080, true)
      if (isKilled) await panel.start()
      await settled()
      assert.equal((await admin.must('GET', '/api/firewall/rules')).length, 2)
    }
  })

  it('is the same after a restart of the host', async () => {
    await host.must(['systemctl', 'daemon-reload'])
    await host.must(['nft', 'delete', 'table', 'inet', 'hostreeve'])
    await host.must(['systemctl', 'start', 'hostreeve-firewall.service'])
    assert.deepEqual([await reaches(8080), await reaches(9001)], [true, false])
    const { stdout } = await host.must(['systemctl', 'list-dependencies', '--plain', 'sysinit.target'])
    assert.match(stdout, /hostreeve-firewall\.service/)
  })

  it('is loaded again, with its bans, where another program flushed all tables', async () => {
    await admin.must('POST', '/api/firewall/bans', { address: otherAddress })
    await host.must(['nft', 'flush', 'ruleset'])
    assert.ok(await reaches(9000))
    await become(9000, false)
    await admin.must('DELETE', `/api/firewall/bans/${otherAddress}`)
    await become(8080, true)
    await poll('the table', 15_000, async () => ((await status()).is_live ? true : undefined))
    const { items } = await admin.must('GET', '/api/activity?action=firewall_adapt')
    assert.ok(items.length > 0)
  })

  it('lets a host that has banned itself speak to itself', async () => {
    await admin.must('POST', '/api/firewall/bans', { address, duration_seconds: 60 })
    await host.must(['curl', '--silent', '--fail', '--max-time', '2', `http://${address}:8080/`])
    await admin.must('DELETE', `/api/firewall/bans/${address}`)
  })

  it('opens the ports of websites and closes them with the last one', async () => {
    await writeFile(
      join(host.rootPath, 'etc/nginx/conf.d/probe80.conf'),
      'server { listen 80; return 200 "here"; }\n',
    )
    await host.must(['systemctl', 'reload', 'nginx'])
    await admin.installNginx()
    assert.equal(await reaches(80), false)
    await admin.makeOwner('ada')
    const site = await admin.must('POST', '/api/websites', {
      domain: 'shop.example.com',
      type: 'static',
      username: 'ada',
    })
    await become(80, true)
    await admin.must('DELETE', `/api/websites/${site.id}`)
    await become(80, false)
  })

  it('bans an address after ten failed sign-ins, and releases it', async () => {
    const url = `http://${address}:7070/api/auth/login`
    const wrong = '{"email":"nobody@example.com","password":"wrong"}'
    const shown = ['--silent', '--output', '/dev/null', '--write-out', '%{http_code}', '--max-time', '2']
    const fail = () => other.exec(['curl', ...shown, '--data', wrong, url])
    for (let count = 0; count < 10; count += 1) assert.equal((await fail()).stdout, '401')
    await become(7070, false)
    const [ban] = await admin.must('GET', '/api/firewall/bans')
    assert.deepEqual([ban.address, ban.source], [otherAddress, 'panel'])
    await admin.must('DELETE', `/api/firewall/bans/${otherAddress}`)
    assert.ok(await reaches(7070, '/readyz'))
  })

  it('bans an address after ten failed sign-ins to sshd, and nobody whom an account writes of', async () => {
    await host.must(['ssh-keygen', '-A'])
    await host.must(['systemctl', 'start', 'ssh'])
    const forged = 'Failed password for root from 10.77.0.99 port 1 ssh2'
    const forge = ['setpriv', '--reuid=65534', '--clear-groups', 'logger', '--tag=sshd', forged] as const
    for (let count = 0; count < 20; count += 1) await host.must(forge)
    const options = [
      'BatchMode=yes',
      'StrictHostKeyChecking=no',
      'UserKnownHostsFile=/dev/null',
      'ConnectTimeout=2',
    ]
    const target = ['root from 10.77.0.98 port 1 ssh2', address] as const
    const argv = ['ssh', ...options.map((option) => `-o${option}`), '-l', ...target, 'true'] as const
    const listed = (): Promise<readonly any[]> => admin.must('GET', '/api/firewall/bans')
    const bans = await poll('a ban', 30_000, async () => {
      await other.exec([...argv], { timeoutMs: 10_000 }) // the ban may come while it is connected
      const found = await listed()
      return found.length > 0 ? found : undefined
    })
    assert.equal(await reaches(7070), false)
    assert.deepEqual(
      bans.map((ban) => [ban.address, ban.source]),
      [[otherAddress, 'ssh']],
    )
    await admin.must('DELETE', `/api/firewall/bans/${otherAddress}`)
    await become(7070, true)
  })

  it('keeps bans while it is off, until their end', async () => {
    await admin.must('POST', '/api/firewall/disable')
    assert.ok(await reaches(9000))
    await admin.must('POST', '/api/firewall/bans', { address: otherAddress, duration_seconds: 10 })
    assert.equal(await reaches(9000), false)
    await become(9000, true)
    assert.deepEqual(await admin.must('GET', '/api/firewall/bans'), [])
  })

  it('does as the guide says', async () => {
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/firewall.md'), 'utf8'))
    assert.ok(blocks.length > 0)
    await runAll(host, panel, blocks)
  })
})

/**
 * Sends an echo request and ends with 0 if it is answered within a second. Its id is new each time: conntrack would
 * take it for an established one.
 */
const ping = `
  my $sum = 0x0800 + ($$ & 0xffff) + 1;
  $sum = ~(($sum & 0xffff) + ($sum >> 16)) & 0xffff;
  socket(my $raw, AF_INET, SOCK_RAW, 1) or die $!;
  send($raw, pack('n4', 0x0800, $sum, $$ & 0xffff, 1), 0, sockaddr_in(0, inet_aton($ARGV[0]))) or die $!;
  vec(my $readable, fileno($raw), 1) = 1;
  exit(select($readable, undef, undef, 1) > 0 ? 0 : 1);
`

/** A connection to the panel that stays open between requests. */
class KeptConnection {
  readonly #socket: Socket
  readonly #token: string

  private constructor(socket: Socket, token: string) {
    this.#socket = socket
    this.#token = token
  }

  static async open(host: Host, token: string): Promise<KeptConnection> {
    return new KeptConnection(await host.connect(7070, address), token)
  }

  /** Sends a request without a body, and returns the first bytes of the answer. */
  async send(method: string, path: string): Promise<string> {
    const head = [`${method} ${path} HTTP/1.1`, 'Host: panel', `Authorization: Bearer ${this.#token}`]
    this.#socket.write(`${[...head, 'Content-Length: 0'].join('\r\n')}\r\n\r\n`)
    const [chunk] = await once(this.#socket, 'data')
    return String(chunk)
  }
}
