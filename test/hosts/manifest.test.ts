import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { killWhile } from './story/kill.ts'
import { SignedIn } from './story/signed-in.ts'
import { visit } from './story/visit.ts'

const program = ['/opt/hostreeve/node_modules/.bin/node', '/opt/hostreeve/dist/hostreeve.mjs'] as const

describe('a manifest', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  before(async () => {
    host = await bootHost('manifest', { image: 'powerdns' })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    await admin.must('POST', '/api/sqldb/install')
    await admin.must('POST', '/api/authdns/install')
  })
  after(() => host?.remove())

  const at = (path: string) => join(host.rootPath, path)
  const query = async (text: string) => (await host.must(['mariadb', '--batch', '-Ne', text])).stdout.trim()
  const dig = async (name: string) =>
    (await host.exec(['dig', '+short', '+tries=2', '@127.0.0.1', name, 'A'])).stdout.trim()
  const command = (args: readonly string[]) =>
    host.exec([...program, ...args], {
      env: { HOSTREEVE_DATA_DIR: panel.environment.HOSTREEVE_DATA_DIR },
      timeoutMs: 300_000,
    })
  /** Sends a manifest and returns any answer. */
  const send = (verb: 'plan' | 'apply', manifest: object, rest: object = {}) =>
    admin.ask('POST', `/api/manifest/${verb}`, { text: JSON.stringify({ version: 1, ...manifest }), ...rest })
  const state = async () => ({
    manifest: (await admin.must('GET', '/api/manifest/export')).text,
    passwd: await readFile(at('etc/passwd'), 'utf8'),
    databases: await query('show databases'),
    accounts: await query('select User, Host from mysql.user'),
    sites: (await host.must(['ls', '/etc/nginx/hostreeve/sites'])).stdout,
    homes: (await host.must(['ls', '/home'])).stdout,
  })

  it('is planned, applied, exported and pruned as the guide says', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/manifest.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide))
    for (const line of [
      /^\+ user ada@example\.com: Linux account ada$/m,
      /^\+ website shop\.example\.com: php, owned by ada$/m,
      /^\+ database ada_shop: of shop\.example\.com, on mariadb/m,
      /^\+ zone example\.com: 2 record sets$/m,
      /^\+ firewall rule allow tcp 80, 443 \(Web\)$/m,
      /^Done: 6 objects\nPassword of user ada@example\.com, shown only this once: \S{20}$/m,
      /^Nothing to do: the host is as the manifest has it\nNothing was changed$/m,
      /<.*docs\.example\.com.*>/,
      /^orders$/m,
      /^shop\.example\.com\.\n192\.0\.2\.10$/m,
      /^- website docs\.example\.com/m,
      /^! Delete the website docs\.example\.com/m,
      /^Done: 1 object$/m,
    ])
      assert.match(output, line)
    assert.ok(!output.includes('Password of user ada_shop'), 'that of the environment is not shown')
  })

  it('has made what serves, as its owner', async () => {
    await host.must([
      ...(['setpriv', '--reuid=ada', '--regid=ada', '--clear-groups', 'sh', '-c'] as const),
      "echo \"<?php echo ini_get('memory_limit'), ' ', get_current_user();\" >~ada/sites/shop.example.com/public/i.php",
    ])
    for (const domain of ['shop.example.com', 'www.shop.example.com'])
      assert.equal((await visit(host, domain, '/i.php')).text, '256M ada')
    const logs = await host.must(['stat', '-Lc', '%G', '/home/ada/logs/shop.example.com'])
    assert.equal(logs.stdout.trim(), 'ada')
    assert.doesNotMatch((await visit(host, 'docs.example.com')).text, /docs\.example\.com/)
    assert.ok(existsSync(at('home/ada/sites/docs.example.com/public/index.html')), 'its files stay')
  })

  it('is exported as it is: neither a plan nor a prune has anything to do', async () => {
    const text: string = (await admin.must('GET', '/api/manifest/export')).text
    assert.doesNotMatch(text, /password/)
    for (const prune of [false, true])
      assert.deepEqual((await admin.must('POST', '/api/manifest/plan', { text, prune })).operations, [])
  })

  const bob = {
    users: [{ email: 'bob@example.com', username: 'bob', permissions: ['websites_management'] }],
    websites: [
      { domain: 'bob.example.com', username: 'bob', type: 'php' },
      { domain: 'last.example.com', username: 'bob', type: 'static' },
    ],
    databases: [
      {
        ...{ name: 'bob_shop', website: 'bob.example.com' },
        users: [{ username: 'bob_shop' }, { username: 'bob_read', host: '%' }],
      },
    ],
    zones: [
      { name: 'bob.test', rrsets: [{ name: '@', type: 'A', records: [{ content: '192.0.2.20' }] }] },
      { name: 'example.com', rrsets: [{ name: 'shop', type: 'A', records: [{ content: '192.0.2.11' }] }] },
    ],
    firewall_rules: [{ action: 'deny', protocol: 'tcp', ports: [23] }],
  }

  it('leaves the host as it was where its last website is refused, and quotes nginx', async () => {
    const was = await state()
    const [first, last] = bob.websites
    const broken = { ...last, directives: [{ name: 'no_such_directive', values: ['on'] }] }
    const { status, code, message } = await send('apply', { users: bob.users, websites: [first, broken] })
    assert.deepEqual([status, code], [500, 'config_failed'], message)
    assert.match(message, /no_such_directive/)
    assert.deepEqual(await state(), was)
  })

  it('leaves the host as it was where PowerDNS stops after all else was made', async () => {
    const was = await state()
    // the server refuses the record after the panel has found nothing wrong with it
    await host.must(['mariadb', '--delimiter=//', 'powerdns', '-e', trigger])
    const { status, message } = await send('apply', bob)
    await host.must(['mariadb', 'powerdns', '-e', 'drop trigger refuse'])
    assert.ok(status >= 400, message)
    assert.deepEqual(await state(), was)
  })

  it('leaves the host as it was where the panel is killed in the middle', async () => {
    const was = await state()
    await killWhile(
      panel,
      () => send('apply', bob),
      () => existsSync(at('home/bob/sites/bob.example.com')),
    )
    await poll('the manifest to be undone', 300_000, async () =>
      isDeepStrictEqual(await state(), was) ? true : undefined,
    )
  })

  it('is applied whole: several owners, databases with two users, record sets that change', async () => {
    const before = await dig('shop.example.com')
    const { status, message, data } = await send('apply', bob)
    assert.equal(status, 200, message)
    assert.equal(data.passwords.length, 3)
    const password = data.passwords.find(
      ({ path }: any) => path === 'databases[0].users[0].password',
    ).password
    const asked = await host.exec(['mariadb', '--user=bob_shop', 'bob_shop', '-Ne', 'select 1'], {
      env: { MYSQL_PWD: password },
    })
    assert.equal(asked.stdout.trim(), '1', asked.stderr)
    assert.match((await visit(host, 'last.example.com')).text, /last\.example\.com/)
    assert.equal(await dig('bob.test'), '192.0.2.20')
    // answers are cached for a while
    await poll('the new address', 300_000, async () =>
      (await dig('shop.example.com')) === '192.0.2.11' ? true : undefined,
    )
    assert.equal(before, '192.0.2.10')
    const rules = await admin.must('GET', '/api/firewall/rules')
    assert.deepEqual(
      rules.map(({ action, ports }: any) => [action, ports.join()]),
      [
        ['allow', '80,443'],
        ['deny', '23'],
      ],
    )
    assert.deepEqual((await send('plan', bob)).data.operations, [])
  })

  it('confirms what could end the service of a zone, and compares texts by their case', async () => {
    const zone = (type: string, content: string) => ({
      zones: [{ name: 'bob.test', rrsets: [{ name: '@', type, records: [{ content }] }] }],
    })
    const servers = zone('NS', 'ns9.bob.test.')
    const { confirmations } = (await send('plan', servers)).data
    assert.deepEqual(confirmations, ['Zone bob.test: it changes the NS records of the zone itself'])
    assert.equal((await send('apply', servers)).code, 'confirmation_required')
    assert.equal((await send('apply', zone('TXT', 'AbC'))).status, 200)
    assert.deepEqual((await send('plan', zone('TXT', 'AbC'))).data.operations, [])
    assert.equal((await send('plan', zone('TXT', 'aBc'))).data.operations.length, 1)
    const zones = await admin.must('GET', '/api/authdns/zones')
    const { kind } = zones.find(({ name }: any) => name === 'bob.test')
    const other = kind === 'Master' ? 'Native' : 'Master'
    const refused = await send('plan', { zones: [{ name: 'bob.test', kind: other }] })
    assert.deepEqual([refused.status, refused.code], [400, 'bad_request'])
    assert.match(refused.message, new RegExp(`^zones\\[0\\]\\.kind: bob\\.test is ${kind},`))
  })

  it('goes on once a database is gone, and says which one the server did not drop', async () => {
    const of = (name: string, website: string) => ({ name, website, users: [{ username: name }] })
    const kept = [...bob.databases, of('ada_shop', 'shop.example.com')]
    const more = ['bob_x', 'bob_y'].map((name) => of(name, 'bob.example.com'))
    assert.equal((await send('apply', { databases: more })).status, 200)
    // MariaDB does not remove a folder with files of others
    await writeFile(at('var/lib/mysql/bob_y/planted'), '')
    const { status, message, data } = await send('apply', { databases: kept }, { prune: true, confirm: true })
    assert.equal(status, 200, message)
    assert.equal(data.left.length, 1)
    assert.match(data.left[0], /^Remove the database bob_y from MariaDB, with all its tables: .*bob_y/)
    assert.equal(await query("show databases like 'bob\\_x'"), '')
    assert.deepEqual((await send('plan', { databases: kept }, { prune: true })).data.operations, [])
    await rm(at('var/lib/mysql/bob_y/planted'))
    await query('drop database bob_y')
  })

  it('asks in a terminal alone, where the end of the input is a no', async () => {
    await writeFile(at('root/empty.json'), JSON.stringify({ version: 1, ...empty }))
    const was = await state()
    const typed = (input: string, args: readonly string[]) =>
      host.exec(['sh', '-c', `${input} | script -qefc "$0" /root/typed`, [...program, ...args].join(' ')], {
        env: { HOSTREEVE_DATA_DIR: panel.environment.HOSTREEVE_DATA_DIR },
        timeoutMs: 300_000,
      })
    const prune = ['apply', '--prune', '-f']
    for (const [input, args, asks] of [
      [afterPrompt('\\004'), [...prune, '/root/empty.json'], true],
      [afterPrompt('no\\n'), [...prune, '/root/empty.json'], true],
      ["echo 'yes'", [...prune, '/root/empty.json', '--json'], false],
      ['(cat /root/empty.json; echo)', [...prune, '-'], false],
    ] as const) {
      await rm(at('root/typed'), { force: true })
      const { code, stdout } = await typed(input, args)
      assert.deepEqual([code, stdout.includes('Type yes to go on')], [1, asks], stdout)
      assert.match(stdout, /nothing was changed: confirm it with --yes/)
    }
    assert.deepEqual(await state(), was)
  })

  const empty = { users: [], websites: [], databases: [], zones: [], firewall_rules: [] }

  it('deletes all that its empty sections do not have, once that is confirmed', async () => {
    const was = await state()
    const args = ['apply', '-f', '/root/empty.json', '--prune']
    const unconfirmed = await command(args)
    assert.equal(unconfirmed.code, 1)
    assert.match(unconfirmed.stderr, /nothing was changed: confirm it with --yes/)
    assert.match(unconfirmed.stdout, /^! Delete the user bob@example\.com/m)
    assert.deepEqual(await state(), was)
    const done = await command([...args, '--yes'])
    assert.equal(done.code, 0, done.stdout + done.stderr)
    assert.equal(await query("show databases like 'bob\\_%'"), '')
    assert.equal(
      await query("select count(*) from mysql.user where User like 'bob%' or User like 'ada%'"),
      '0',
    )
    assert.doesNotMatch((await visit(host, 'last.example.com')).text, /last\.example\.com/)
    assert.deepEqual((await admin.must('GET', '/api/authdns/zones')).length, 0)
    assert.deepEqual(await admin.must('GET', '/api/firewall/rules'), [])
    const { items } = await admin.must('GET', '/api/users')
    assert.deepEqual(
      items.map(({ is_admin }: any) => is_admin),
      [true],
    )
    assert.ok(existsSync(at('home/ada/sites/shop.example.com/public/i.php')), 'homes stay')
    assert.match((await host.must(['getent', 'passwd', 'bob'])).stdout, /nologin/)
  })
})

/** A program that types something once it is asked for. */
const afterPrompt = (keys: string) =>
  `(n=0; until grep -q 'Type yes' /root/typed || [ $n = 1000 ]; do sleep 0.1; n=$((n+1)); done; printf '${keys}') 2>/dev/null`

/** Refuses the address of one zone, as a server whose disk is full would. */
const trigger =
  "create trigger refuse before insert on records for each row if new.content = '192.0.2.20' then signal sqlstate '45000' set message_text = 'planted'; end if"
