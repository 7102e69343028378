import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { after, before, suite, test } from 'node:test'
import { step } from '../../../core/change.ts'
import { decidedBy, type PlainRequest, toldBy } from './testing/interpret.ts'
import { mmdb } from '../../powerdns/testing/mmdb.ts'
import { pause } from '../../../core/poll.ts'
import { isWithin } from '../../../host/networks.ts'
import { until } from '../../../../test/support/until.ts'
import { readCountryFile } from './country-file.ts'
import { type LoggedRequest, readLoggedRequest, readTarget } from './logged.ts'
import { encodedRules, readVerdict } from './replay.ts'
import { stepRun } from '../../../../test/support/step-run.ts'
import { makeScratchNginx, nginxSkipReason, type ScratchNginx } from '../testing/scratch.ts'
import type { SimulatedAccess, SimulatedRequest } from './ask.ts'
import { accessDirectory, luaFile, modulePath, rulesFile } from './layout.ts'
import { accessLua } from './lua/index.ts'
import { renderRules } from './render-access.ts'
import type { AccessAction, AccessCondition, AccessRules, AccessRuleset } from './rules.ts'
import { hexBounds, parseNetwork } from '../../../host/networks.ts'

const skip = nginxSkipReason() ?? (existsSync(modulePath) ? undefined : 'the module for Lua is not installed')

const modules =
  'load_module /usr/lib/nginx/modules/ndk_http_module.so;\nload_module /usr/lib/nginx/modules/ngx_http_lua_module.so;\n'
const key = 'k'.repeat(32)
const block: AccessAction = { action: 'block', status: 403, page: null }
const condition = (
  field: string,
  operator: string,
  value: string | null,
  negate = false,
): AccessCondition => ({
  field,
  operator,
  value,
  negate,
})
const when = (...conditions: readonly AccessCondition[]) => conditions
const ruleset = (
  id: string,
  does: AccessAction,
  rules: readonly (readonly AccessCondition[])[],
  more: Partial<AccessRuleset> = {},
): AccessRuleset => ({
  id,
  does,
  combine: 'any',
  websiteIds: null,
  rules: rules.map((conditions, index) => ({ id: `${id}-${index}`, conditions })),
  ...more,
})
const rulesOf = (
  rulesets: readonly AccessRuleset[],
  groups: Readonly<Record<string, readonly string[]>> = {},
  owner = 1,
): AccessRules => ({ owner, key, groups: new Map(Object.entries(groups)), rulesets })

interface Visit {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly from?: string
}

suite('access rules in the real nginx', { skip: skip ?? false }, () => {
  let scratch: ScratchNginx
  let visitors = 1

  before(async () => {
    scratch = await makeScratchNginx()
    await scratch.writeMain('', modules)
    await scratch.nginx.setUp()
    await apply([])
  })
  after(() => scratch.stop())

  const site = (domain: string, owner: number | undefined, id: number) =>
    scratch.nginx.renderSite({
      id,
      domain,
      aliases: [],
      type: 'static',
      root: `${scratch.directory}/www/${domain}`,
      certificate: null,
      redirectsToHttps: false,
      hasHsts: false,
      isSuspended: false,
      options: {
        isInMaintenance: false,
        redirects: [{ from: '/moved', to: '/there', code: 301 }],
        errorPages: [{ code: 403, path: '/sorry.html' }],
        directives: [],
        protectedFolders: [],
      },
      ...(owner !== undefined && { accessOwner: owner }),
    })
  const publish = async (domain: string) => {
    const root = `${scratch.directory}/www/${domain}`
    await mkdir(`${root}/.well-known/acme-challenge`, { recursive: true })
    await mkdir(`${scratch.layout.logsDirectory}/${domain}`, { recursive: true })
    for (const name of ['index.html', 'sorry.html', 'a b.html']) await writeFile(`${root}/${name}`, name)
  }
  /** Applies rules as the panel does: the files first, then what loads them, with one check and one reload. */
  const apply = async (all: readonly AccessRules[], closed = false) => {
    const { writeAccessFile, writeAccess } = scratch.nginx.steps
    const run = async (kind: any, args: unknown) => {
      const made = step(kind, args)
      const was = await made.kind.observe(args)
      await made.kind.act(args, stepRun(was))
    }
    await run(writeAccessFile, { name: luaFile, content: accessLua })
    const owners = []
    for (const rules of all) {
      const { digest, content } = renderRules(rules)
      await run(writeAccessFile, { name: rulesFile(rules.owner, digest), content })
      owners.push({ owner: rules.owner, digest, isClosed: closed })
    }
    for (const domain of ['one.test', 'two.test', 'other.test', 'free.test']) await publish(domain)
    await run(writeAccess, {
      owners,
      sites: [
        { domain: 'one.test', content: site('one.test', 1, 11) },
        { domain: 'two.test', content: site('two.test', 1, 12) },
        { domain: 'other.test', content: site('other.test', 2, 21) },
        { domain: 'free.test', content: site('free.test', undefined, 31) },
      ],
    })
  }
  const visit = (domain: string, path: string, { method = 'GET', headers = {}, from }: Visit = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<{
      status: number
      body: string
      headers: Readonly<Record<string, string | readonly string[] | undefined>>
    }>()
    const sent = request(
      {
        host: '127.0.0.1',
        port: scratch.port,
        path,
        method,
        agent: false,
        timeout: 60_000,
        headers: { host: domain, ...headers },
        ...(from !== undefined && { localAddress: from }),
      },
      (reply) => {
        let body = ''
        reply.setEncoding('utf8')
        reply.on('data', (part: string) => {
          body += part
        })
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body, headers: reply.headers }))
      },
    )
    sent.on('timeout', () => sent.destroy(new Error('no answer')))
    sent.on('error', reject)
    sent.end()
    return promise
  }
  /** Loopback has many addresses: each test that counts has one of its own. */
  const freshAddress = () => `127.0.0.${++visitors}`
  const statusOf = async (...args: Parameters<typeof visit>) => (await visit(...args)).status
  const hex = (address: string) => hexBounds(parseNetwork(address)!).first
  const simulate = (rules: AccessRules, asked: Partial<SimulatedRequest> = {}) =>
    scratch.nginx.simulateAccess(rules, {
      method: 'GET',
      target: '/',
      host: 'one.test',
      headers: {},
      address: hex('192.0.2.1'),
      siteId: 11,
      rate: 0,
      hasPassed: false,
      ...asked,
    }) as Promise<SimulatedAccess>

  test('blocks what matches, also what nginx would redirect, and shows the error page of the website', async () => {
    await apply([rulesOf([ruleset('s', block, [when(condition('path', 'starts_with', '/moved'))])])])
    assert.equal(await statusOf('one.test', '/'), 200)
    const refused = await visit('one.test', '/moved')
    assert.deepEqual([refused.status, refused.body], [403, 'sorry.html'])
    assert.equal(await statusOf('one.test', '/%6doved'), 403)
    assert.equal(await statusOf('one.test', '/x/../moved'), 403)
    assert.equal(await statusOf('one.test', '//moved'), 403)
  })

  test("one owner's rules concern neither another's websites nor those without rules", async () => {
    const everything = when(condition('ip', 'exists', null))
    await apply([rulesOf([ruleset('s', block, [everything], { websiteIds: [11] })]), rulesOf([], {}, 2)])
    assert.equal(await statusOf('one.test', '/'), 403)
    for (const domain of ['two.test', 'other.test', 'free.test'])
      assert.equal(await statusOf(domain, '/'), 200)
  })

  test('always leaves the challenges of certificate authorities open', async () => {
    await mkdir(scratch.layout.challengesDirectory, { recursive: true })
    await writeFile(`${scratch.layout.challengesDirectory}/token`, 'proof')
    await apply([rulesOf([ruleset('s', block, [when(condition('ip', 'exists', null))])])])
    assert.equal((await visit('one.test', '/.well-known/acme-challenge/token')).body, 'proof')
    assert.equal(await statusOf('one.test', '/.well-known/acme-challenge/../../index.html'), 403)
  })

  test('the first ruleset that ends it wins, and log goes on', async () => {
    const admin = when(condition('path', 'starts_with', '/admin'))
    await apply([
      rulesOf([
        ruleset('l', { action: 'log' }, [admin]),
        ruleset('a', { action: 'allow' }, [when(condition('header:X-Pass', 'equals', 'yes'))]),
        ruleset('b', { action: 'block', status: 410, page: '<p>Gone & "done"</p>' }, [admin]),
        ruleset('c', block, [admin]),
      ]),
    ])
    const gone = await visit('one.test', '/admin')
    assert.deepEqual([gone.status, gone.body], [410, '<p>Gone & "done"</p>'])
    assert.equal(await statusOf('one.test', '/admin', { headers: { 'x-pass': 'yes' } }), 404)
    const log = await readFile(`${scratch.layout.logsDirectory}/one.test/error.log`, 'utf8')
    assert.match(log, /access ruleset l matched by rule l-0/)
  })

  test('redirects, limits the rate by address, and answers a challenge once', async () => {
    const [first, second] = [freshAddress(), freshAddress()]
    await apply([
      rulesOf([
        ruleset('r', { action: 'redirect', status: 307, url: 'https://example.org/x?y=1' }, [
          when(condition('path', 'equals', '/old')),
        ]),
        ruleset('n', { action: 'rate_limit', requests: 2 }, [when(condition('path', 'equals', '/login'))]),
        ruleset('c', { action: 'challenge', hours: 1 }, [when(condition('path', 'equals', '/shop'))]),
      ]),
    ])
    const moved = await visit('one.test', '/old')
    assert.deepEqual([moved.status, moved.headers['location']], [307, 'https://example.org/x?y=1'])
    const login = async (from: string) => (await visit('one.test', '/login', { from })).status
    // at the turn of a minute the count begins again
    let answers: number[] = []
    for (let round = 0; round < 8; round++) answers = [...answers, await login(first)]
    assert.equal(answers[0], 404)
    assert.ok(answers.includes(429))
    assert.equal(await login(second), 404)
    const asked = await visit('one.test', '/shop')
    assert.equal(asked.status, 403)
    const cookie = /document\.cookie="([^;]+);/.exec(asked.body)?.[1] ?? ''
    assert.equal(await statusOf('one.test', '/shop', { headers: { cookie: `a=b; ${cookie}` } }), 404)
    assert.equal(await statusOf('one.test', '/shop', { headers: { cookie: `${cookie}0` } }), 403)
    assert.equal(
      await statusOf('one.test', '/shop', { headers: { cookie: cookie.replace(/=\d/, '=9') } }),
      403,
    )
    assert.equal(await statusOf('one.test', '/shop', { headers: { cookie }, from: second }), 403)
  })

  test('counts the matches of rulesets and rules, also across a reload', async () => {
    const rules = rulesOf([ruleset('count', block, [when(condition('path', 'equals', '/hit'))])])
    await apply([rules])
    await visit('one.test', '/hit')
    await visit('one.test', '/hit')
    await apply([rules, rulesOf([], {}, 2)])
    await visit('one.test', '/hit')
    const report = await scratch.nginx.accessReport(1)
    assert.deepEqual(report?.hits, [
      { id: 'count', hits: 3 },
      { id: 'count-0', hits: 3 },
    ])
    assert.match(report?.path ?? '', new RegExp(`${accessDirectory(scratch.layout)}/1-[0-9a-f]{16}\\.rules$`))
  })

  test('an expression that takes too many steps decides nothing, however it is negated', async () => {
    const slow = condition('query', 'matches', '^(a+)+$')
    const text = `?${'a'.repeat(40)}!`
    await apply([rulesOf([ruleset('s', block, [when(slow), when({ ...slow, negate: true })])])])
    assert.equal(await statusOf('one.test', `/${text}`), 200)
    assert.equal(await statusOf('one.test', '/?aaa'), 403)
    const { steps } = await simulate(rulesOf([ruleset('s', block, [when(slow)])]), { target: `/${text}` })
    assert.match(steps[0]?.rules[0]?.conditions[0]?.problem ?? '', /pcre_exec\(\) failed/)
  })

  test('damaged or missing rules leave websites open, or closed where the owner wants that', async () => {
    for (const isClosed of [false, true]) {
      await apply(
        [rulesOf([ruleset(`d${isClosed}`, block, [when(condition('path', 'equals', '/x'))])])],
        isClosed,
      )
      const { path = '' } = (await scratch.nginx.accessReport(1)) ?? {}
      const text = await readFile(path, 'utf8')
      await writeFile(path, text.replace('/x', '/y'))
      await scratch.host.apply(scratch.nginx.tool, [
        {
          path: scratch.nginx.sitePath('free.test'),
          content: `${site('free.test', undefined, 31)}# ${isClosed}\n`,
        },
      ])
      assert.match((await scratch.nginx.accessReport(1))?.problem ?? '', /it is damaged/)
      assert.equal(await statusOf('one.test', '/'), isClosed ? 503 : 200)
      assert.equal(await statusOf('free.test', '/'), 200)
    }
  })

  test('takes Lua in any text as text', async () => {
    const lua = `"]] } os.execute("touch ${scratch.directory}/ran") --[[ \n e 5:`
    const rules = rulesOf(
      [
        ruleset('lua', { action: 'block', status: 403, page: lua }, [
          when(condition('query', 'contains', lua)),
          when(condition(`header:${lua.slice(0, 8)}`, 'equals', lua)),
          when(condition('path', 'equals', '/run')),
        ]),
      ],
      { [lua]: [] },
    )
    await apply([rules])
    assert.equal((await visit('one.test', '/run')).body, lua)
    assert.equal((await simulate(rules, { target: '/run' })).ruleset, 'lua')
    assert.equal(existsSync(`${scratch.directory}/ran`), false)
  })

  test('compares addresses with networks of both families, whatever their host bits and their form', async () => {
    const members = ['192.0.2.77/24', '2001:db8::1/32', '::ffff:198.51.100.7', '192.0.2.0/25', '203.0.113.9']
    const rules = rulesOf([ruleset('g', block, [when(condition('ip', 'in_group', 'g'))])], { g: members })
    const decided = async (address: string) => (await simulate(rules, { address: hex(address) })).ruleset
    for (const inside of ['192.0.2.0', '192.0.2.255', '2001:db8:ffff::', '198.51.100.7', '203.0.113.9'])
      assert.equal(await decided(inside), 'g', inside)
    for (const outside of ['192.0.1.255', '192.0.3.0', '2001:db9::', '198.51.100.8', '::c000:201'])
      assert.equal(await decided(outside), undefined, outside)
  })

  test('names the expressions that are none, and refuses what nginx refuses', async () => {
    const rules = rulesOf([
      ruleset('s', block, [when(condition('path', 'matches', '(')), when(condition('path', 'matches', 'a'))]),
    ])
    const { problems } = await simulate(rules)
    assert.equal(problems.length, 1)
    assert.deepEqual([problems[0]?.rule, problems[0]?.index], ['s-0', 0])
    assert.deepEqual(await simulate(rules, { target: '/../x' }), { refusedWith: 400 })
  })

  test('a simulated visitor may ask for a part, for another encoding, or for what has not changed', async () => {
    const rules = rulesOf([ruleset('m', block, [when(condition('header:If-Match', 'equals', '"x"'))])])
    const headers = {
      'if-match': '"x"',
      'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT',
      'if-none-match': '*',
      range: 'bytes=0-1',
      'accept-encoding': 'gzip',
    }
    assert.equal((await simulate(rules, { headers })).ruleset, 'm')
    assert.equal((await simulate(rules, { headers: { ...headers, 'if-match': '"y"' } })).ruleset, undefined)
  })

  test('reads a header that is sent twice as one, cookies too', async () => {
    const rules = rulesOf([
      ruleset('c', block, [when(condition('cookie:second', 'equals', '2'))]),
      ruleset('h', block, [when(condition('header:X-Two', 'equals', 'a, b'))]),
    ])
    await apply([rules])
    const lines = (name: string, ...values: string[]) =>
      values.map((value) => `${name}: ${value}\r\n`).join('')
    const answerTo = async (headers: string) => {
      const socket = connect(scratch.port, '127.0.0.1')
      socket.write(`GET / HTTP/1.1\r\nHost: one.test\r\nConnection: close\r\n${headers}\r\n`)
      return (await readAll(socket)).split('\r\n')[0]
    }
    assert.match((await answerTo(lines('Cookie', 'first=1', 'second=2'))) ?? '', / 403 /)
    assert.match((await answerTo(lines('Cookie', 'first=1', 'second=3'))) ?? '', / 200 /)
    assert.match((await answerTo(lines('X-Two', 'a', 'b'))) ?? '', / 403 /)
    assert.equal((await simulate(rules, { headers: { cookie: ['first=1', 'second=2'] } })).ruleset, 'c')
    assert.equal((await simulate(rules, { headers: { 'x-two': ['a', 'b'] } })).ruleset, 'h')
  })

  test('nothing is reported, and nothing simulated, by an nginx that is not set up for rules', async () => {
    const plain = await makeScratchNginx()
    await plain.nginx.setUp()
    try {
      assert.equal(await plain.nginx.accessReport(1), undefined)
      const asked = { method: 'GET', target: '/', host: 'one.test', headers: {}, address: hex('192.0.2.1') }
      const simulated = await plain.nginx
        .simulateAccess(rulesOf([]), { ...asked, siteId: 11, rate: 0, hasPassed: false })
        .catch((error: Error) => error.message)
      assert.ok(typeof simulated === 'object' ? 'refusedWith' in simulated : /install/.test(simulated))
    } finally {
      await plain.stop()
    }
  })

  test('loads 100,000 networks and finds each', async () => {
    const members = Array.from(
      { length: 100_000 },
      (_, index) => `10.${index >> 9}.${(index >> 1) & 255}.${(index & 1) * 128 + 5}`,
    )
    const rules = rulesOf([ruleset('big', block, [when(condition('ip', 'in_group', 'big'))])], {
      big: members,
    })
    const { ruleset: found } = await simulate(rules, { address: hex(members[77_777]!) })
    assert.equal(found, 'big')
    assert.equal((await simulate(rules, { address: hex('10.0.0.6') })).ruleset, undefined)
  })

  test('loads new rules under 100 requests per second without a failed request', async () => {
    const shut = (path: string) =>
      rulesOf([ruleset('load', block, [when(condition('path', 'equals', path))])])
    await apply([shut('/none')])
    const ending = new AbortController()
    const asked: Promise<number>[] = []
    const load = (async () => {
      while (!ending.signal.aborted) {
        asked.push(statusOf('one.test', '/index.html'))
        await pause(10, ending.signal)
      }
    })()
    for (let round = 0; round < 5; round++) {
      const before = asked.length
      await apply([shut(round % 2 === 0 ? '/index.html' : '/other')])
      await until(async () => asked.length > before + 20)
    }
    ending.abort()
    await load
    const statuses = new Set(await Promise.all(asked))
    assert.deepEqual([...statuses].toSorted(), [200, 403])
  })

  test('sees the client behind a proxy only where nginx trusts that proxy', async () => {
    const [proxy, stranger] = [freshAddress(), freshAddress()]
    const one = ruleset('p', block, [when(condition('ip', 'equals', '203.0.113.7'))])
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    await apply([rulesOf([one])])
    for (const from of [proxy, stranger])
      assert.equal(await statusOf('one.test', '/', { headers, from }), 200)
    await scratch.writeMain(`set_real_ip_from ${proxy}; real_ip_header X-Forwarded-For;`, modules)
    await apply([rulesOf([{ ...one, id: 'q' }])])
    assert.equal(await statusOf('one.test', '/', { headers, from: proxy }), 403)
    assert.equal(await statusOf('one.test', '/', { headers, from: stranger }), 200)
    assert.equal(await statusOf('one.test', '/', { from: proxy }), 200)
    await scratch.writeMain('', modules)
    await apply([rulesOf([one])])
    assert.equal(await statusOf('one.test', '/', { headers, from: proxy }), 200)
  })

  test('a log tells the same path as nginx sees, or that nginx refuses it', async () => {
    const draw = drawing(20_261_129)
    const pieces = [
      '/',
      '/',
      '.',
      '..',
      'a',
      'B',
      '%2e',
      '%2F',
      '%25',
      '%3f',
      '%20',
      '%C3%A4',
      '%',
      '#x',
      '?y=%2e',
      '%23',
    ]
    for (let round = 0; round < 300; round++) {
      const target = `/${Array.from({ length: 1 + draw(7) }, () => one(draw, pieces)).join('')}`
      const found = await scratch.nginx.simulateAccess(rulesOf([]), {
        ...{ method: 'GET', target, host: 'one.test', headers: {}, address: '7f000001' },
        ...{ siteId: 11, rate: 0, hasPassed: false },
      })
      const path = readTarget(target)?.path
      assert.equal(
        path && Buffer.from(path, 'latin1').toString(),
        'path' in found ? found.path : undefined,
        target,
      )
    }
  })

  /** Runs the last lines of a log through a ruleset. */
  const replay = async (domain: string, lines: number, rules: AccessRules, id: string) => {
    const log = await scratch.nginx.openRecentLog(domain, { lines, bytes: 2 ** 30 })
    const requests: LoggedRequest[] = []
    for await (const part of log.parts(new AbortController().signal))
      requests.push(...part.lines.flatMap((line) => readLoggedRequest(line) ?? []))
    await log.close()
    const { verdicts, problems } = await scratch.nginx.replayAccess(
      { rules: encodedRules(rules), ruleset: id, siteId: 11, host: domain, requests },
      new AbortController().signal,
    )
    assert.deepEqual(problems, [])
    return { requests, verdicts: verdicts.map((each) => readVerdict(each)) }
  }

  test('decides 1,000 generated requests as a plain interpreter does, simulated, in earnest and from their log', async () => {
    const draw = drawing(20_261_128)
    const networks = { '127.0.0.0/26': 'DE', '127.0.0.128/25': 'FR' }
    const countries = await readCountryFile(mmdb(networks, new Date(0)))!.rangesOf(new Set(['DE', 'FR', '*']))
    const rules: AccessRules = {
      countries,
      ...rulesOf(
        Array.from({ length: 12 }, (_, index) => ({
          ...ruleset(
            `g${index}`,
            index % 4 === 3 ? { action: 'allow' } : { action: 'block', status: 420 + index, page: null },
            Array.from({ length: 1 + draw(3) }, () =>
              Array.from({ length: 1 + draw(3) }, () => generatedCondition(draw)),
            ),
          ),
          combine: draw(2) === 0 ? 'any' : 'all',
        })),
        { local: ['127.0.0.0/28', '127.0.0.64/26'] },
      ),
    }
    await apply([rules])
    const decided = new Set<string | undefined>()
    const sent: PlainRequest[] = []
    for (let round = 0; round < 1000; round++) {
      const { target, ...generated } = generatedRequest(draw)
      const country = Object.entries(networks).find(([network]) =>
        isWithin(generated.address, [network]),
      )?.[1]
      const asked: PlainRequest = { ...generated, country }
      sent.push(asked)
      const { method, address, host } = asked
      const cookie = Object.entries(asked.cookies).map(([name, value]) => `${name}=${value}`)
      const headers = {
        ...asked.headers,
        ...(cookie.length > 0 && { cookie: cookie.join('; ') }),
        referer: `https://r/${round}`, // two workers may log in another order
      }
      const wanted = decidedBy(rules, asked)
      decided.add(wanted)
      const label = JSON.stringify({ target, ...asked })
      const found = await simulate(rules, { method, target, headers, host, address: hex(address) })
      assert.equal(found.ruleset, wanted, label)
      const status = await statusOf('one.test', target, { method, headers, from: address })
      const does = rules.rulesets.find(({ id }) => id === wanted)?.does
      if (does?.action === 'block') assert.equal(status, does.status, label)
      else assert.ok(status < 420, label)
    }
    assert.ok(decided.size > 4, 'the rules decide requests in several ways')
    const log = `${scratch.layout.logsDirectory}/one.test/access.log`
    const wholeLog = async () => (await readFile(log, 'utf8')).split('\n').length - 1
    const before = (await wholeLog()) - 1000
    await until(async () => (await wholeLog()) >= before + 1000)
    const told = new Set<string>()
    const isLacking = (field: string) => /^(?:cookie:|header:)/.test(field)
    const lacks = ({ rules: own }: AccessRuleset) =>
      own.some(({ conditions }) => conditions.some(({ field }) => isLacking(field)))
    const sorted = rules.rulesets.toSorted((each, other) => Number(lacks(each)) - Number(lacks(other)))
    const replayed = { ...rules, rulesets: sorted }
    for (const { id } of sorted) {
      const { requests, verdicts } = await replay('one.test', 1000, replayed, id)
      assert.equal(requests.length, 1000)
      const numbers = requests.map(({ referer = '' }) => Number(referer.replace('https://r/', '')))
      assert.equal(new Set(numbers).size, 1000)
      for (const [index, number] of numbers.entries()) {
        const request = sent[number]!
        const wanted = toldBy(replayed, id, { request, lacks: isLacking })
        assert.equal(requests[index]?.address, request.address)
        assert.equal(verdicts[index]?.is, wanted, JSON.stringify({ id, request }))
        told.add(wanted)
      }
    }
    assert.deepEqual([...told].toSorted(), ['earlier', 'matched', 'passed', 'unknown'])
  })

  test('replays a log: the rules by their positions, fields that it lacks, and actions whose outcome it does not tell', async () => {
    await apply([rulesOf([])])
    const agent = { 'user-agent': Buffer.from('Bot "x" \\ é').toString('latin1') }
    const log = () => readFile(`${scratch.layout.logsDirectory}/two.test/access.log`, 'utf8')
    for (const path of ['/a?x=1', '/b', '/caf%C3%A9', '/limited']) {
      await visit('two.test', path, { headers: agent })
      await until(async () => (await log()).includes(`GET ${path} `)) // each after its answer, by any of the workers
    }
    const on = (...rules: readonly (readonly AccessCondition[])[]) =>
      rulesOf([
        ruleset('limit', { action: 'rate_limit', requests: 1 }, [
          when(condition('path', 'equals', '/limited')),
        ]),
        { ...ruleset('r', block, rules), combine: 'any' as const },
      ])
    const verdicts = async (...rules: readonly (readonly AccessCondition[])[]) =>
      (await replay('two.test', 4, on(...rules), 'r')).verdicts
    assert.deepEqual(
      await verdicts(
        when(condition('query', 'equals', 'x=1')),
        when(condition('path', 'equals', '/café'), condition('user_agent', 'equals', 'Bot "x" \\ é')),
        when(condition('path', 'starts_with', '/b'), condition('cookie:id', 'exists', null)),
        when(condition('path', 'equals', '/limited')),
      ),
      [
        { is: 'matched', rules: [0] },
        { is: 'unknown', lacks: 'cookie:id' },
        { is: 'matched', rules: [1] },
        { is: 'unknown', lacks: 'rate_limit' },
      ],
    )
    for (const field of ['request_rate', 'header:accept']) {
      const lacking = condition(field, field === 'request_rate' ? 'greater_than' : 'exists', '5')
      assert.deepEqual((await verdicts(when(lacking)))[1], { is: 'unknown', lacks: field })
    }
  })
})

/** Draws numbers below a limit, the same ones for the same seed (a linear congruential generator). */
function drawing(seed: number) {
  let state = seed
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
type Draw = ReturnType<typeof drawing>

const one = <Item>(draw: Draw, items: readonly Item[]): Item => items[draw(items.length)]!
const texts = ['a', 'b', 'admin', 'x y', 'ä', 'A'] as const

function generatedCondition(draw: Draw): AccessCondition {
  const negate = draw(4) === 0
  if (draw(9) === 0)
    return draw(3) === 0
      ? condition('country', 'exists', null, negate)
      : condition('country', 'equals', one(draw, ['DE', 'FR']), negate)
  if (draw(5) === 0)
    return draw(2) === 0
      ? condition('ip', 'in_group', 'local', negate)
      : condition('ip', 'in_cidr', one(draw, ['127.0.0.9/27', '127.0.0.200', '10.0.0.0/8']), negate)
  const field = one(draw, [
    'path',
    'path',
    'query',
    'method',
    'header:X-One',
    'cookie:c',
    'user_agent',
    'host',
  ])
  const operator = one(draw, ['equals', 'contains', 'starts_with', 'ends_with', 'matches', 'exists'])
  const text = one(draw, field === 'path' ? texts.map((each) => `/${each}`) : [...texts, 'GET', 'one.test'])
  return condition(field, operator, operator === 'exists' ? null : text, negate)
}

function generatedRequest(draw: Draw): PlainRequest & { readonly target: string } {
  const parts = Array.from({ length: 1 + draw(3) }, () => one(draw, texts))
  const query = draw(2) === 0 ? '' : one(draw, ['a=b', 'admin', 'A', 'q=xab'])
  const path = `/${parts.join('/')}`
  const dots = draw(3) === 0 ? '/./none/..' : ''
  return {
    method: one(draw, ['GET', 'POST', 'HEAD']),
    path,
    query,
    target: `${dots}${parts.map((part) => `/${encodeURIComponent(part)}`).join('')}${query && `?${query}`}`,
    host: 'one.test',
    address: `127.0.0.${1 + draw(250)}`,
    headers: {
      ...(draw(2) === 0 && { 'x-one': one(draw, ['a', 'admin', 'A b']) }),
      ...(draw(2) === 0 && { 'user-agent': one(draw, ['a', 'bot', 'A']) }),
    },
    cookies: draw(2) === 0 ? { c: one(draw, ['a', 'admin', 'b']) } : {},
  }
}
