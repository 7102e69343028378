import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { Problem } from '../../src/core/problem.ts'
import type { SqlConnection } from '../../src/host/apply/steps.ts'
import { connectProblems } from '../../src/host/connect/index.ts'
import { openFiles } from '../../src/host/files.ts'
import { scriptAccounts, scriptPackages, scriptSystemd } from '../../src/host/testing/scripted-host.ts'
import { standInHaproxy } from '../../src/tools/haproxy/testing/stand-in.ts'
import { scriptMariadbd } from '../../src/tools/mariadb/testing/scripted-mariadbd.ts'
import { standInServer, type StandInServer } from '../../src/tools/mariadb/testing/stand-in.ts'
import { placeExim, scriptExim, standInExim } from '../../src/tools/exim/testing/stand-in.ts'
import { openTestPanel, type Person, type TestPanel } from '../support/panel.ts'
import { addSession } from '../support/people.ts'
import type { PanelReport } from './report.ts'
import { scriptAccountTools, scriptMachine, scriptPages } from './scripts.ts'

/** A panel on loopback whose host is a stand-in: files in a folder, scripted commands, homes of two hosting users. */
export interface SchemaPanel {
  readonly url: string
  /** Answers each request with a token of a new session of the caller, for sessions that a request has ended. */
  readonly tokensUrl: string
  /** Closes the panel; fails if a command ran that is not scripted. */
  close(): Promise<PanelReport>
}

/** The caller of a run. */
export type CallerName = 'superuser' | 'plain'

const haproxyConfig = `global
  maxconn 2000

defaults
  mode http
  timeout connect 1s
  timeout client 10s
  timeout server 10s

frontend web
  bind 127.0.0.1:8080
  default_backend shop

backend shop
  balance roundrobin
  server shop1 127.0.0.1:8081 check
`
const versions = { nginx: '1.22.1-9', haproxy: '2.6.12-1', 'mariadb-server': '1:10.11.14-0+deb12u2' }

/** Opens the panel in `folder`, with a website, files, an alias and a backend to work on. */
export async function openSchemaPanel(folder: string, callerName: CallerName): Promise<SchemaPanel> {
  const panel = await openStandIn(folder)
  await panel.start()
  const ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
  await panel.person({ username: 'bob', permissions: ['websites_management'] })
  await furnish(panel)
  const caller = callerName === 'superuser' ? panel.admin : ada
  const tokens = await serveTokens(panel, caller)
  giveEachRequestAnAddress(panel)
  const url = await panel.app.listen({ host: '127.0.0.1', port: 0 })
  const close = async () => {
    await tokens.close()
    await panel.close()
    return { bugs: bugsOf(panel), succeeded: succeededOf(panel) }
  }
  return { url, tokensUrl: tokens.url, close }
}

async function openStandIn(folder: string): Promise<TestPanel> {
  const root = `${folder}/root`
  const accounts = new Map<string, { uid: number; home: string }>()
  for (const path of ['etc/haproxy', 'etc/mysql/mariadb.conf.d', 'root', 'var/lib', 'var/log'])
    mkdirSync(`${root}/${path}`, { recursive: true })
  for (const [index, name] of ['ada', 'bob'].entries())
    accounts.set(name, { uid: 61_021 + index, home: makeHome(`${folder}/homes/${name}`, 61_021 + index) })
  writeFileSync(`${root}/etc/haproxy/haproxy.cfg`, haproxyConfig)
  placeExim(root)
  const haproxy = standInHaproxy(openFiles(root))
  const sqlServer = standInServer()
  const running = { isActive: true, isEnabled: true }
  const services = new Map(['nginx', 'haproxy', 'mariadb'].map((name) => [name, { ...running }]))
  return openTestPanel({
    root,
    hasNginx: true,
    programs: ['find', 'ln'],
    accounts,
    scripts: [
      scriptMachine,
      scriptAccountTools(accounts, (name, uid) => makeHome(`${folder}/homes/${name}`, uid)),
      scriptAccounts(accounts),
      scriptPackages(new Map(Object.entries(versions)), versions),
      scriptExim(standInExim(), () => root),
      ...scriptPages(),
      scriptMariadbd(sqlServer, () => root),
      scriptSystemd(services),
    ],
    haproxy: { program: haproxy.program, starter: haproxy.starter },
    mariadb: { connection: answeringInPart(sqlServer) },
    trustedProxies: ['127.0.0.1'],
    addresses: { resolve: async () => [] },
  })
}

/** The server knows the statements of the SQL server's pages; to those on databases of websites it gives no answer. */
function answeringInPart({ connection }: StandInServer): SqlConnection {
  return {
    ...connection,
    run: async (statement) => {
      if (statement.parts[0]?.startsWith('select User as account')) return []
      try {
        return await connection.run(statement)
      } catch (error) {
        if (error instanceof Problem) throw error
        throw connectProblems.NotAnswering('MariaDB cannot be reached: connect ENOENT')
      }
    },
  }
}

function makeHome(path: string, uid: number): string {
  mkdirSync(path, { recursive: true })
  writeFileSync(`${path}/notes.txt`, 'One line\n')
  mkdirSync(`${path}/docs`)
  writeFileSync(`${path}/docs/a.txt`, 'Another line\n')
  for (const each of [path, `${path}/notes.txt`, `${path}/docs`, `${path}/docs/a.txt`])
    chownSync(each, uid, uid)
  return path
}

async function furnish(panel: TestPanel): Promise<void> {
  const ask = async (path: string, body: object) => {
    const { status, text } = await panel.request('POST', path, { as: panel.admin, body })
    if (status >= 300)
      throw new Error(`POST ${path} answered ${status}: ${text}; ${bugsOf(panel).join('; ')}`)
  }
  for (const username of ['ada', 'bob'])
    await ask('/api/websites', { domain: `${username}.example.com`, type: 'static', username })
  await ask('/api/websites/1/aliases', { name: 'alias.ada.example.com' })
  await ask('/api/filemanager/write', { username: 'ada', path: 'notes.txt', content: 'Two lines\nof text\n' })
}

/** The limit of failed attempts counts by address, and would refuse the rest of the run. */
function giveEachRequestAnAddress({ app }: TestPanel): void {
  let count = 0
  app.server.prependListener('request', ({ headers }: IncomingMessage) => {
    count += 1
    headers['x-forwarded-for'] = `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`
  })
}

/** What the panel logged as faults of its own. */
function bugsOf({ log }: TestPanel): readonly string[] {
  return log
    .filter(({ level }) => level === 'error')
    .map(({ fields: { err, ...fields }, message }) =>
      [message, JSON.stringify(fields), err instanceof Error ? err.stack : String(err)].join(' '),
    )
}

/** The operations that answered with success at least once. */
function succeededOf({ log }: TestPanel): readonly string[] {
  const answered = log.map(({ fields }) => fields)
  const succeeded = answered.filter(({ status, path }) => Number(status) < 300 && path !== undefined)
  return [...new Set(succeeded.map(({ method, path }) => `${method} ${path}`))]
}

async function serveTokens(
  { store }: TestPanel,
  { id }: Person,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(
    (_request, reply) =>
      void addSession(store, id).then(
        ({ token }) => reply.end(token),
        (error: unknown) => reply.writeHead(500).end(String(error)),
      ),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
