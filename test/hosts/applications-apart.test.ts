import assert from 'node:assert/strict'
import { copyFile, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout } from './story/guide.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'
import { SshClient } from './story/ssh-client.ts'
import { visit } from './story/visit.ts'

/** What an owner may do with what is their own, and not with what belongs to another owner. */
const attempts = ['file', 'folder', 'write', 'database', 'socket', 'process', 'signal', 'backup'] as const
type Outcome = Readonly<Record<(typeof attempts)[number], boolean>>

const everything = Object.fromEntries(attempts.map((name) => [name, true])) as Outcome
const nothing = Object.fromEntries(attempts.map((name) => [name, false])) as Outcome

/** Tries each on what belongs to the owner $1, with the database $2 and the process $3. */
const shellScript = `#!/bin/bash
of=$1 database=$2 pid=$3 site=/home/$1/sites/$1.example.com
try() { name=$1; shift; if "$@" >/dev/null 2>&1; then echo "$name=true"; else echo "$name=false"; fi; }
try file grep -q DB_PASSWORD $site/public/wp-config.php
try folder ls $site/public/wp-content
try write touch $site/public/written
try database mariadb --defaults-extra-file=$HOME/.my.cnf -e "select * from $database.wp_users"
try socket perl -MIO::Socket::UNIX -e 'exit !IO::Socket::UNIX->new(Peer => shift)' $site/app.sock
try process grep -q app.sock /proc/$pid/cmdline
try signal kill -0 $pid
try backup grep -rq DB_PASSWORD /home/$of/restores
echo tried $of
`

/** The same in the PHP of a website, which reaches its own folder alone: the folder of a restored backup is a link to it. */
const phpScript = `<?php
error_reporting(0);
[$of, $uid, $database, $pid] = [$_GET['of'], $_GET['uid'], $_GET['database'], (int) $_GET['pid']];
$site = "/home/$of/sites/$of.example.com";
$own = file_get_contents(__DIR__ . '/wp-config.php');
preg_match("/'DB_USER', '([^']+)'/", $own, $user);
preg_match("/'DB_PASSWORD', '([^']+)'/", $own, $password);
mysqli_report(MYSQLI_REPORT_OFF);
$sql = mysqli_connect('localhost', $user[1], $password[1]);
$rows = $sql ? $sql->query("select user_login from \`$database\`.wp_users") : false;
echo json_encode([
  'file' => str_contains((string) file_get_contents("$site/public/wp-config.php"), 'DB_PASSWORD'),
  'folder' => is_array(scandir("$site/public/wp-content")),
  'write' => file_put_contents("$site/public/written-by-php", 'x') === 1,
  'database' => $rows !== false && $rows->num_rows > 0,
  'socket' => stream_socket_client("unix://$site/app.sock") !== false,
  'process' => in_array($uid, array_map('trim', explode("\\n", (string) shell_exec('ps -eo uid=')))),
  'signal' => posix_kill($of === 'ada' ? getmypid() : $pid, 0),
  'backup' => str_contains((string) file_get_contents("$site/restored/wp-config.php"), 'DB_PASSWORD'),
]);
`

/** A program of an owner that listens on a socket in the folder of the website. */
const listener = `use IO::Socket::UNIX; unlink $ARGV[0];
my $server = IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 5) or die; while (my $client = $server->accept) { close $client }`

/** Types what it is given into a terminal, and prints its output until it ends. */
const terminal = `const [url, text] = process.argv.slice(2)
const socket = new WebSocket(url)
socket.binaryType = 'arraybuffer'
socket.onopen = () => socket.send(new TextEncoder().encode(text))
socket.onmessage = ({ data }) => process.stdout.write(typeof data === 'string' ? data : Buffer.from(data))
`

interface Installed {
  readonly owner: Owner
  readonly site: number
  readonly database: string
  readonly pid: string
  readonly backup: string
}

describe('two owners of the same application', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let client: SshClient
  let ada: Installed
  let bob: Installed
  before(async () => {
    host = await bootHost('apart', { image: 'phpPools' })
    // as the installation does: owners see their own processes alone
    await copyFile(
      join(checkout, 'deploy/hostreeve-proc.service'),
      at('etc/systemd/system/hostreeve-proc.service'),
    )
    await host.must(['systemctl', 'daemon-reload'])
    await host.must(['systemctl', 'start', 'hostreeve-proc'])
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    await admin.must('POST', '/api/sqldb/install')
    client = new SshClient(host)
    await client.startServer()
    await writeFile(at('root/terminal.mjs'), terminal)
    await writeFile(at('usr/local/lib/listener.pl'), listener, { mode: 0o644 })
    ada = await make('ada')
    bob = await make('bob')
  })
  after(() => host?.remove())

  const at = (path: string) => join(host.rootPath, path)
  const siteOf = ({ owner: { username: name } }: Pick<Installed, 'owner'>) =>
    `home/${name}/sites/${name}.example.com`
  const as = (name: string) =>
    ['setpriv', `--reuid=${name}`, `--regid=${name}`, '--init-groups', '--'] as const

  /** Installs WordPress for a new owner, with a program that listens, and a backup that was unpacked. */
  const make = async (name: string): Promise<Installed> => {
    const owner = await admin.makeOwner(name)
    const permissions = ['websites_management', 'terminal_access']
    await admin.must('POST', `/api/users/${owner.userId}/permissions`, { permissions })
    const signedIn = await SignedIn.as(panel, owner.email, owner.password)
    const draft = { application: 'wordpress', domain: `${name}.example.com`, certificate: 'none' }
    const installed = await signedIn.must('POST', '/api/applications', { ...draft, email: owner.email })
    const { website_id: site, database } = installed
    const socket = `/home/${name}/sites/${name}.example.com/app.sock`
    const unit = ['systemd-run', `--unit=app-${name}`, `--uid=${name}`, `--gid=${name}`] as const
    await host.must([...unit, '/usr/bin/perl', '/usr/local/lib/listener.pl', socket])
    await poll('the program to listen', 60_000, async () =>
      (await host.exec(['test', '-S', socket])).code === 0 ? true : undefined,
    )
    const shown = await host.must(['systemctl', 'show', '-p', 'MainPID', '--value', `app-${name}`])
    await client
      .makeKey(name)
      .then((public_key) => signedIn.must('POST', `/api/users/${owner.userId}/ssh-keys`, { public_key }))
    const { bytes } = await signedIn.ask('POST', `/api/websites/${site}/backups`, {})
    const backup = /"type":"done","name":"([^"]+)"/.exec(bytes.toString())?.[1] ?? assert.fail(String(bytes))
    const { job_id } = await signedIn.must('POST', `/api/websites/${site}/backups/${backup}/restore`, {
      for_inspection: true,
    })
    assert.equal((await signedIn.followJob(job_id)).at(-1)?.['state'], 'succeeded')
    const made = { owner: { ...owner, signedIn }, site, database, pid: shown.stdout.trim(), backup }
    await prepare(made)
    return made
  }

  /** What the owner has for the attempts: the script, the password of the database, a copy of the backup in the website. */
  const prepare = async ({ owner: { username: name }, database }: Pick<Installed, 'owner' | 'database'>) => {
    const config = await readFile(at(`home/${name}/sites/${name}.example.com/public/wp-config.php`), 'utf8')
    const password = /'DB_PASSWORD', '([^']+)'/.exec(config)?.[1] ?? assert.fail(config)
    const write = async (path: string, text: string, mode: string) => {
      await host.must([...as(name), 'tee', `/home/${name}/${path}`], { input: text })
      await host.must(['chmod', mode, `/home/${name}/${path}`])
    }
    await write('attempt.sh', shellScript, '755')
    await write('.my.cnf', `[client]\nuser=${database}\npassword=${password}\n`, '600')
    await write(`sites/${name}.example.com/public/attempt.php`, phpScript, '644')
    const copy = `cp -r ~/restores/*/site/public ~/sites/${name}.example.com/restored`
    await host.must([...as(name), 'env', `HOME=/home/${name}`, 'bash', '-c', copy])
  }

  const commandOn = ({ owner, database, pid }: Installed) =>
    `bash ~/attempt.sh ${owner.username} ${database} ${pid}`
  const hasTried = (output: string, { owner }: Installed) =>
    new RegExp(`^tried ${owner.username}\\r?$`, 'm').test(output)
  const outcomeIn = (output: string, victim: Installed): Outcome => {
    assert.ok(hasTried(output, victim), output)
    const found = output.matchAll(/^(\w+)=(true|false)\r?$/gm)
    return Object.fromEntries([...found].map(([, name, value]) => [name, value === 'true'])) as Outcome
  }
  /** Runs the attempts of Ada, first on what is her own and then on what is Bob's. */
  const tries = async (run: (victim: Installed) => Promise<Outcome>) => {
    assert.deepEqual(await run(ada), everything, "Ada's own")
    assert.deepEqual(await run(bob), nothing, "Bob's")
  }

  it('have the same files, and are both served', async () => {
    for (const name of ['ada', 'bob'])
      assert.match((await visit(host, `${name}.example.com`)).text, /Hello world!/)
    assert.notEqual(ada.database, bob.database)
  })

  it('are apart for PHP', () =>
    tries(async ({ owner, database, pid }) => {
      const uid = (await host.must(['id', '-u', owner.username])).stdout.trim()
      const query = new URLSearchParams({ of: owner.username, uid, database, pid }).toString()
      const { status, text } = await visit(host, 'ada.example.com', `/attempt.php?${query}`)
      assert.equal(status, 200, text)
      return JSON.parse(text) as Outcome
    }))

  it('are apart for jobs of crontabs', () =>
    tries(async (victim) => {
      const { signedIn } = ada.owner
      const path = `/api/websites/${ada.site}/crontab`
      await signedIn.must('PUT', path, { crontab: `0 4 1 1 * ${commandOn(victim)}` })
      const { job_id } = await signedIn.must('POST', `${path}/run`, { line: 1 })
      await signedIn.followJob(job_id)
      const { runs } = await signedIn.must('GET', path)
      const found = runs.find(({ output }: { readonly output: string }) => hasTried(output, victim))
      return outcomeIn(found?.output ?? '', victim)
    }))

  it('are apart for sessions of SSH', () =>
    tries(async (victim) => outcomeIn((await client.ssh('ada', 'ada', commandOn(victim))).stdout, victim)))

  it('are apart for terminals', () =>
    tries(async (victim) => {
      const { signedIn, userId } = ada.owner
      const { token } = await signedIn.must('POST', '/api/auth/socket-token', { purpose: 'terminal' })
      const { HOSTREEVE_PORT: port } = panel.environment
      const url = `ws://127.0.0.1:${port}/api/users/${userId}/terminal?token=${token}`
      const node = '/opt/hostreeve/node_modules/.bin/node'
      const text = `${commandOn(victim)}; exit\n`
      return outcomeIn((await host.must([node, '/root/terminal.mjs', url, text])).stdout, victim)
    }))

  it('are apart for SFTP, with a shell and without one', async () => {
    for (const shell of [true, false]) {
      if (!shell) await admin.must('PATCH', `/api/users/${ada.owner.userId}`, { shell })
      const get = async (path: string) =>
        (await client.sftp('ada', 'ada', `get ${path} /root/stolen`)).code === 0
      for (const [victim, expected] of [
        [ada, true],
        [bob, false],
      ] as const) {
        await rm(at('root/stolen'), { force: true })
        const site = `/${siteOf(victim)}`
        assert.equal(await get(`${site}/public/wp-config.php`), expected, `${site}, shell ${shell}`)
        assert.equal(await get(`${site}/restored/wp-config.php`), expected)
        assert.equal((await readdir(at('root'))).includes('stolen'), expected)
        const put = await client.sftp('ada', 'ada', `put /root/terminal.mjs ${site}/public/by-sftp`)
        assert.equal(put.code === 0, expected)
      }
    }
  })

  it('are apart for SQL, whatever an account asks for', async () => {
    const ask = (text: string) =>
      host.exec([...as('ada'), 'mariadb', '--defaults-extra-file=/home/ada/.my.cnf', '-Ne', text])
    const ofOwn = await ask(`select count(*) from ${ada.database}.wp_posts`)
    assert.ok(Number(ofOwn.stdout) > 0, ofOwn.stderr)
    const databases = (await ask('show databases')).stdout.trim().split('\n')
    assert.ok(databases.includes(ada.database) && !databases.includes(bob.database), databases.join())
    for (const text of [
      `select * from ${bob.database}.wp_users`,
      `update ${bob.database}.wp_users set user_pass = ''`,
      `create view ${ada.database}.stolen as select * from ${bob.database}.wp_users`,
      `rename table ${ada.database}.wp_links to ${bob.database}.wp_links2`,
      'select * from mysql.user',
      `grant all on ${bob.database}.* to ${ada.database}@localhost`,
    ])
      assert.match((await ask(text)).stderr, /denied/, text)
    const file = await ask(`select load_file('/${siteOf(bob)}/public/wp-config.php')`)
    assert.ok(!file.stdout.includes('DB_PASSWORD'), file.stdout)
    const lists = await ask('select user from information_schema.processlist')
    assert.doesNotMatch(lists.stdout, new RegExp(bob.database))
  })

  it('are apart for the panel', async () => {
    const paths = ({ owner, site, backup }: Installed): readonly (readonly [string, string, object?])[] => [
      ['GET', `/api/websites/${site}`],
      ['GET', `/api/websites/${site}/backups`],
      ['GET', `/api/websites/${site}/databases`],
      ['GET', `/api/websites/${site}/logs`],
      ['GET', `/api/websites/${site}/crontab`],
      ['POST', `/api/websites/${site}/backups/${backup}/restore?plan=1`, { for_inspection: true }],
      ['GET', `/api/filemanager/list?username=${owner.username}&path=sites`],
    ]
    const asAda = async (victim: Installed) => {
      const statuses: number[] = []
      for (const [method, path, body] of paths(victim))
        statuses.push((await ada.owner.signedIn.ask(method, path, body)).status)
      return statuses
    }
    assert.ok(
      (await asAda(ada)).every((status) => status < 300 || status === 409),
      String(await asAda(ada)),
    )
    const refused = await asAda(bob)
    assert.ok(
      refused.every((status) => status === 403 || status === 404),
      String(refused),
    )
    const { items } = await ada.owner.signedIn.must('GET', '/api/applications')
    assert.deepEqual(
      items.map(({ website_id: id }: { readonly website_id: number }) => id),
      [ada.site],
    )
  })

  it('left nothing with the other', async () => {
    const left = await host.must(['find', `/${siteOf(bob)}`, '!', '-user', 'bob'])
    assert.equal(left.stdout, '')
    for (const name of ['written', 'written-by-php', 'by-sftp']) {
      assert.equal((await host.exec(['test', '-e', `/${siteOf(bob)}/public/${name}`])).code, 1)
      assert.equal((await host.exec(['test', '-e', `/${siteOf(ada)}/public/${name}`])).code, 0)
    }
  })
})
