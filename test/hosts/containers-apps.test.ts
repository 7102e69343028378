import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { mirrorRegistry, pushLargeImages } from './story/catalog-images.ts'
import { startEngine } from './story/docker.ts'
import { SignedIn } from './story/signed-in.ts'

const address = '10.77.1.12'
/** Ends a wait that never comes to its end. */
const limitMs = 180_000

interface Credential {
  readonly service: string
  readonly variable: string
  readonly value: string
}

describe('databases and web applications of the catalog', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  const docker = async (...args: readonly string[]) => (await host.must(['docker', ...args])).stdout.trim()
  /** Runs a command with a password in its environment, so that no list of processes shows it. */
  const signedIn = async (variable: string, password: string, argv: readonly string[]) => {
    const script = 'IFS= read -r value; export "$1=$value"; shift; exec "$@"'
    const asked = ['bash', '-c', script, 'run', variable, ...argv] as const
    return (await host.must(asked, { input: `${password}\n` })).stdout.trim()
  }
  const mariadb = (port: number, password: string, statement: string) => {
    const client = ['mariadb', '--no-defaults', '--protocol=tcp', '-h', '127.0.0.1', '-P', String(port)]
    return signedIn('MYSQL_PWD', password, [...client, '-u', 'app', '-N', '-e', statement, 'app'])
  }
  const psql = (port: number, password: string, statement: string) => {
    const client = ['psql', '-h', '127.0.0.1', '-p', String(port), '-U', 'app', '-d', 'app']
    return signedIn('PGPASSWORD', password, [...client, '-qAtc', statement])
  }
  const page = async (url: string) => (await host.must(['curl', '-sfL', '--max-time', '60', url])).stdout
  const valueOf = (credentials: readonly Credential[], variable: string) =>
    credentials.find((credential) => credential.variable === variable)?.value ?? assert.fail(variable)
  const healthOf = (name: string) => docker('inspect', '--format', '{{.State.Health.Status}}', name)
  const launch = (app_id: string) => admin.must('POST', '/api/containers/catalog/launch', { app_id })
  const launchStack = (stack_id: string, name: string) =>
    admin.must('POST', '/api/containers/stacks/launch', { stack_id, name })

  before(async () => {
    host = await bootHost('apps', { image: 'docker', addresses: [`${address}/24`] })
    await mirrorRegistry(host)
    await startEngine(host)
    await pushLargeImages(host)
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
  })
  after(async () => void (await host?.remove()))

  it('answer from outside with the passwords that the launch has shown, and with their pages', async () => {
    const [sql, rows] = await Promise.all([launch('mariadb'), launch('postgres'), launch('adminer')])
    for (const name of ['mariadb', 'postgres', 'adminer'])
      await poll(
        `${name} to be healthy`,
        limitMs,
        async () => (await healthOf(name)) === 'healthy' || undefined,
      )

    const password = valueOf(sql.credentials, 'MARIADB_PASSWORD')
    assert.notEqual(password, valueOf(sql.credentials, 'MARIADB_ROOT_PASSWORD'))
    assert.equal(
      await mariadb(3307, password, 'create table t (a int); insert into t values (7); select a from t'),
      '7',
    )
    await assert.rejects(mariadb(3307, 'wrong', 'select 1'), /Access denied/)

    const secret = valueOf(rows.credentials, 'POSTGRES_PASSWORD')
    assert.equal(await psql(5433, secret, 'create table t as select 8 as a; select a from t'), '8')
    await assert.rejects(psql(5433, 'wrong', 'select 1'), /authentication failed/)

    assert.match(await page('http://127.0.0.1:8280/'), /Adminer/)
    const { stdout } = await host.must(['ps', '-eo', 'args'])
    for (const shown of [password, secret]) assert.doesNotMatch(stdout, new RegExp(shown))
  })

  it('keep their rows where the container is replaced', async () => {
    const { env, ...config } = await admin.must('GET', '/api/containers/containers/postgres/config')
    assert.match(JSON.stringify(env), /POSTGRES_PASSWORD=[^"]*•/)
    await admin.must('PUT', '/api/containers/containers/postgres', {
      image: config.image,
      ports: ['127.0.0.1:5435:5432'],
      env,
      volumes: config.volumes,
      restart_policy: 'unless-stopped',
    })
    assert.equal(
      await docker('exec', 'postgres', 'psql', '-h', '127.0.0.1', '-U', 'app', '-Atc', 'select a from t'),
      '8',
    )
    await docker('rm', '--force', '--volumes', ...(await docker('ps', '--all', '--quiet')).split('\n'))
    await docker('system', 'prune', '--all', '--force', '--volumes') // the disk of the engine is in memory
  })

  it('launch as WordPress, whose page needs its database', async () => {
    const site = await launchStack('wordpress', 'site')
    assert.deepEqual(
      site.services.map(({ name }: { readonly name: string }) => name),
      ['site-db', 'site-web'],
    )
    assert.deepEqual(site.opened_ports, ['8480/tcp'])
    assert.equal(
      valueOf(site.credentials, 'WORDPRESS_DB_PASSWORD'),
      valueOf(site.credentials, 'MARIADB_PASSWORD'),
    )
    assert.match(await page(`http://${address}:8480/`), /WordPress/)
    await docker('stop', 'site-db')
    const { stdout } = await host.exec(['curl', '-s', '--max-time', '60', `http://${address}:8480/`])
    assert.match(stdout, /database connection/i)
    await admin.must('POST', '/api/containers/stacks/site/remove', { volumes: true })
    await docker('system', 'prune', '--all', '--force', '--volumes')
  })

  it('launch as MariaDB with phpMyAdmin, of which each answers', async () => {
    const tables = await launchStack('mariadb-phpmyadmin', 'tables')
    assert.deepEqual(tables.opened_ports, [])
    assert.equal(await mariadb(3309, valueOf(tables.credentials, 'MARIADB_PASSWORD'), 'select 9'), '9')
    assert.match(await page('http://127.0.0.1:8486/'), /phpMyAdmin/)
    const stacks = await admin.must('GET', '/api/containers/stacks')
    assert.deepEqual(
      stacks.map(({ instance, state }: { readonly instance: string; readonly state: string }) => [
        instance,
        state,
      ]),
      [['tables', 'running']],
    )
  })
})
