import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { openHost } from '../../host/index.ts'
import { debianLayout } from './layout.ts'
import { luaString } from './lua.ts'
import { openProgram } from './program.ts'
import { renderBalancer } from './render.ts'
import { type AddressList, databaseName, type DomainList, emptyBalancer, type Server } from './balancer.ts'
import { cdbOf } from './cdb.ts'
import { checkLua, dnsdistSkipReason, startNameServer, startScratchDnsdist } from './testing/scratch.ts'
import { wireName } from './wire-name.ts'

describe('the lists of dnsdist', { skip: dnsdistSkipReason() }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'hostreeve-dnsdist-'))
  after(() => rmSync(directory, { recursive: true }))

  const domains = (name: string, action: DomainList['action'], names: readonly string[]): DomainList => {
    const list = { name, action, domains: names.join('\n') }
    writeFileSync(join(directory, databaseName(list)), cdbOf(names.map((each) => wireName(each)!)))
    return list
  }
  const renderLists = (addressLists: readonly AddressList[], domainLists: readonly DomainList[]) =>
    renderBalancer({ ...emptyBalancer, addressLists, domainLists }, directory)
  const clients = (action: AddressList['action'], ...addresses: string[]): AddressList => ({
    name: action,
    action,
    addresses,
    rateLimit: 1,
  })

  test('no text leaves its Lua string', async () => {
    const texts = [...randomTexts(2000), '"', '\\', '\\"', ']]', '--', '\n', '\r\n', '\0', '1\u{1f600}é']
    const lines = texts.map((text) => {
      const bytes = [...Buffer.from(text)].map((byte) => `string.char(${byte})`)
      return `if ${luaString(text)} ~= ${bytes.join('..') || '""'} then error("differs") end`
    })
    assert.equal(await checkLua(directory, lines.join('\n')), undefined)
    assert.match((await checkLua(directory, 'if "a" ~= "b" then error("differs") end')) ?? '', /differs/)
  })

  test('gives up on a configuration whose check never ends', async () => {
    const path = join(directory, 'endless.conf')
    writeFileSync(path, 'while true do end\n')
    const { check } = openProgram(openHost(), debianLayout, 1000)
    assert.equal(await check(path), 'dnsdist --check-config did not end within 1 s')
  })

  test('finds every name of a constant database and everything below it, and no other', async (t) => {
    const names = Array.from({ length: 3000 }, (_each, index) => `n${index}.d${index % 7}.test`)
    const dnsdist = await startScratchDnsdist(renderLists([], [domains('many', 'block', names)]))
    t.after(() => dnsdist.stop())
    for (let index = 0; index < names.length; index += 97) {
      assert.equal(await dnsdist.dig(names[index]!), 'NXDOMAIN')
      assert.equal(await dnsdist.dig(`A.${names[index]!.toUpperCase()}`), 'NXDOMAIN')
      assert.equal(await dnsdist.dig(`x${names[index]!}`), 'NOERROR')
    }
  })

  test('an empty constant database contains no name', async (t) => {
    const dnsdist = await startScratchDnsdist(renderLists([], [domains('none', 'block', [])]))
    t.after(() => dnsdist.stop())
    assert.equal(await dnsdist.dig('bad.test'), 'NOERROR')
  })

  test('allows, blocks and limits by the source address; the first list of a kind decides', async (t) => {
    const lists = [
      clients('allow', '127.9.0.1'),
      clients('block', '127.9.0.0/16'),
      clients('ratelimit', '127.8.0.1'),
    ]
    const names = [domains('good', 'whitelist', ['good.bad.test']), domains('bad', 'block', ['bad.test'])]
    const dnsdist = await startScratchDnsdist(renderLists(lists, names))
    t.after(() => dnsdist.stop())
    assert.equal(await dnsdist.dig('www.example', '127.9.0.2'), 'REFUSED')
    assert.equal(await dnsdist.dig('bad.test', '127.9.0.1'), 'NOERROR')
    assert.equal(await dnsdist.dig('bad.test'), 'NXDOMAIN')
    assert.equal(await dnsdist.dig('www.good.bad.test'), 'NOERROR')
    const burst = Array.from({ length: 20 }, () => dnsdist.dig('www.example', '127.8.0.1'))
    assert.ok((await Promise.all(burst)).includes(undefined), 'the limit drops nothing')
  })
})

describe('the servers of dnsdist', { skip: dnsdistSkipReason() }, () => {
  /** Asks 40 queries at a time of a pool, and returns how many of them each of its servers got. */
  const shares = async (servers: readonly Pick<Server, 'weight' | 'order' | 'mode'>[]) => {
    const started = await Promise.all(servers.map(() => startNameServer()))
    const counts = servers.map(() => 0)
    for (const [index, socket] of started.entries()) socket.on('message', () => (counts[index]! += 1))
    const toPool = { id: 1, name: 'all', match: 'all', value: '', action: 'pool', pool: 'side' } as const
    const balancer = {
      ...emptyBalancer,
      servers: servers.map((server, index) => ({
        ...server,
        name: `ns${index}`,
        address: `127.0.0.1:${started[index]!.address().port}`,
        pool: 'side',
      })),
      rules: [toPool],
    }
    const dnsdist = await startScratchDnsdist(renderBalancer(balancer, tmpdir()))
    counts.fill(0)
    await dnsdist.askTogether(40)
    await dnsdist.stop()
    for (const socket of started) socket.close()
    return counts
  }
  const server = { weight: 1, order: 1, mode: 'up' } as const

  test('get all queries of a pool at the lowest order, also those that come at the same time', async () => {
    assert.deepEqual(await shares([server, { ...server, order: 2 }]), [40, 0])
    assert.deepEqual(await shares([{ ...server, order: 2 }, server]), [0, 40])
  })

  test('get none while they are down', async () => {
    const down = { ...server, order: 0, mode: 'down' } as const
    assert.deepEqual(await shares([down, server]), [0, 40])
  })

  test('share the queries of their order by weight', async () => {
    const heavy = { ...server, weight: 1_000_000 }
    assert.deepEqual(await shares([server, heavy, { ...server, order: 2 }]), [0, 40, 0])
    const even = await shares([server, server])
    assert.ok(
      even.every((count) => count > 0),
      `${even}`,
    )
  })
})

/** Reproducible texts of up to 20 characters, most of them special in Lua. */
function randomTexts(count: number): readonly string[] {
  let seed = 49
  const next = (limit: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % limit
  }
  const alphabet = [
    '"',
    "'",
    '\\',
    '\n',
    '\r',
    '\0',
    '[',
    ']',
    '=',
    '-',
    '1',
    'n',
    'é',
    '\u{1f600}',
    '%',
    '$',
  ]
  return Array.from({ length: count }, () =>
    Array.from({ length: next(20) }, () => alphabet[next(alphabet.length)]).join(''),
  )
}
