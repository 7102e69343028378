import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { bootDocker, busybox } from './story/docker.ts'
import { SignedIn } from './story/signed-in.ts'

const address = '10.77.0.11'
const friend = '10.77.0.12'
const stranger = '10.77.0.13'
const [address6, friend6, stranger6] = ['fd77::11', 'fd77::12', 'fd77::13'] as const
/** Ends a wait that never comes to its end. */
const limitMs = 120_000

describe('who can reach published ports', () => {
  let host: Host
  let friends: Host
  let strangers: Host
  let panel: Panel
  let admin: SignedIn
  const page = (from: Host, port: number) =>
    from
      .exec(['curl', '-s', '--max-time', '5', `http://${address}:${port}/`])
      .then(({ stdout }) => stdout.trim())
  const whoReaches = async (port: number) => {
    const pages = await Promise.all([friends, strangers].map((from) => page(from, port)))
    return [friend, stranger].filter((_, index) => pages[index] === `page of ${busybox}`)
  }
  const exposure = () => admin.must('GET', '/api/containers/exposure')
  const reachOf = async (port: number) => {
    const { ports } = await exposure()
    const found = ports.find((each: any) => each.port === port && !each.address.includes(':'))
    return found && [found.reach, ...found.sources]
  }
  const limit = (port: number, sources: readonly string[] | null) =>
    admin.must('PUT', '/api/containers/exposure', { port, sources })

  before(async () => {
    ;[host, friends, strangers] = await Promise.all([
      bootDocker('exposed', { addresses: [`${address}/24`, `${address6}/64`] }),
      bootHost('friend', { addresses: [`${friend}/24`, `${friend6}/64`] }),
      bootHost('stranger', { addresses: [`${stranger}/24`, `${stranger6}/64`] }),
    ])
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.must('POST', '/api/containers/containers', {
      image: busybox,
      name: 'web',
      ports: ['8081:80', '127.0.0.1:8082:80', `${address}:8083:80`],
      restart_policy: 'always',
    })
  })
  after(async () => {
    for (const each of [host, friends, strangers]) await each?.remove()
  })

  it('is told as two other hosts find it', async () => {
    assert.deepEqual(await reachOf(8081), ['anyone'])
    assert.deepEqual(await whoReaches(8081), [friend, stranger])
    assert.deepEqual(await reachOf(8082), ['host'])
    assert.deepEqual(await whoReaches(8082), [])
    assert.deepEqual(await reachOf(8083), ['address'])
    assert.deepEqual(await whoReaches(8083), [friend, stranger])
    assert.equal((await exposure()).is_filtered, true)
  })

  it('follows a limit, which closes the port to all others at once, and not to this host', async () => {
    await limit(8081, [friend])
    assert.deepEqual(await reachOf(8081), ['sources', friend])
    assert.deepEqual(await whoReaches(8081), [friend])
    assert.deepEqual(await whoReaches(8083), [friend, stranger], 'the other port stays open')
    assert.equal(await page(host, 8081), `page of ${busybox}`)
    await limit(8083, [])
    assert.deepEqual(await reachOf(8083), ['host'])
    assert.deepEqual(await whoReaches(8083), [])
    const [container] = await admin.must('GET', '/api/containers/containers')
    const shown = container.published.find((each: any) => each.port === 8081 && !each.address.includes(':'))
    assert.deepEqual([shown.reach, shown.sources], ['sources', [friend]])
  })

  it('stays so after a restart of the engine, and where the rules are lost', async () => {
    await host.must(['systemctl', 'restart', 'docker'])
    await poll('the container to run again', limitMs, async () =>
      (await page(host, 8081)) === `page of ${busybox}` ? true : undefined,
    )
    assert.deepEqual(await whoReaches(8081), [friend])
    await host.must(['iptables', '-w', '-F', 'DOCKER-USER'])
    await host.must(['iptables', '-w', '-X', 'HOSTREEVE-PORTS']).catch(() => undefined)
    await poll('the rules to be written again', limitMs, async () => {
      const { stdout } = await host.must(['iptables', '-w', '-S', 'DOCKER-USER'])
      return stdout.includes('HOSTREEVE-PORTS') || undefined
    })
    assert.deepEqual(await whoReaches(8081), [friend])
    await limit(8081, null)
    assert.deepEqual(await reachOf(8081), ['anyone'])
    assert.deepEqual(await whoReaches(8081), [friend, stranger])
  })

  it('is told and limited over IPv6 too, where the engine takes the packets on this host', async () => {
    const url = `http://[${address6}]:8081/`
    const whoReachesIt = async () => {
      const pages = await Promise.all(
        [friends, strangers].map((from) => from.exec(['curl', '-s', '-g', '--max-time', '5', url])),
      )
      return [friend6, stranger6].filter((_, index) => pages[index]?.stdout.trim() === `page of ${busybox}`)
    }
    const reach = async () => {
      const { ports } = await exposure()
      return ports.find((each: any) => each.port === 8081 && each.address.includes(':')) ?? assert.fail()
    }
    assert.equal((await reach()).reach, 'anyone')
    assert.deepEqual(await whoReachesIt(), [friend6, stranger6])
    await limit(8081, [friend6])
    const { reach: who, sources } = await reach()
    assert.deepEqual(
      [who, sources.map((source: string) => source.replace('/128', ''))],
      ['sources', [friend6]],
    )
    assert.deepEqual(await whoReachesIt(), [friend6])
    assert.deepEqual(await whoReaches(8081), [], 'nobody is named for IPv4')
    await host.must(['ip6tables', '-w', '-F', 'INPUT'])
    await poll('the rules of IPv6 to be written again', limitMs, async () => {
      const { stdout } = await host.must(['ip6tables', '-w', '-S', 'INPUT'])
      return stdout.includes('HOSTREEVE-PORTS') || undefined
    })
    assert.deepEqual(await whoReachesIt(), [friend6])
    await limit(8081, null)
    assert.deepEqual(await whoReachesIt(), [friend6, stranger6])
  })

  it('counts the rules that people write themselves', async () => {
    // answers of containers pass the chain too, so that a rule names the direction
    const rule = [
      '!',
      '-s',
      friend,
      '-m',
      'conntrack',
      '--ctstate',
      'DNAT',
      '--ctdir',
      'ORIGINAL',
      '-j',
      'DROP',
    ]
    await host.must(['iptables', '-w', '-I', 'DOCKER-USER', ...rule])
    assert.deepEqual(await reachOf(8081), ['sources', friend])
    assert.deepEqual(await whoReaches(8081), [friend])
    await host.must(['iptables', '-w', '-D', 'DOCKER-USER', ...rule])
    await host.must(['iptables', '-w', '-I', 'DOCKER-USER', '-s', stranger, '-j', 'DROP'])
    const { ports } = await exposure()
    const found = ports.find((each: any) => each.port === 8081 && !each.address.includes(':'))
    assert.deepEqual([found.reach, found.denied], ['anyone', [stranger]])
    assert.deepEqual(await whoReaches(8081), [friend])
  })
})
