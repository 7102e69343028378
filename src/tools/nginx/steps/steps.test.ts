import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { it, test, type TestContext } from 'node:test'
import type { Stoppable } from '../../../../test/support/stoppable.ts'
import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import { openApply } from '../../../host/apply/index.ts'
import { stamped } from '../../../host/apply/stamp.ts'
import { openHost, type Host } from '../../../host/index.ts'
import { on, scriptedRun } from '../../../host/testing/scripted-run.ts'
import { nginx as nginxTool } from '../index.ts'
import { cacheFolder, debianLayout } from '../layout.ts'
import { passwordsPath, renderPasswords } from '../passwords.ts'
import { standInNginx, type StandInNginx } from '../testing/stand-in.ts'

interface Machine {
  readonly host: Host
  readonly program: StandInNginx
}

async function makeMachine(t: TestContext): Promise<Machine> {
  const host = openHost({ root: scratchRoot(t), run: scriptedRun(on('service --version')).run })
  await host.files.makeDirectory('/etc/nginx/conf.d')
  const program = standInNginx(host.files)
  await nginxTool.open(host, { program }).setUp()
  return { host, program }
}

const open = ({ host, program }: Machine, door: Stoppable['door']) => {
  const files = door(host.files)
  return nginxTool.open({ ...host, files, ...openApply(files) }, { program: door(program) })
}
const pathOf = (domain: string) => `${debianLayout.sitesDirectory}/${domain}.conf`
const put =
  (domain: string, content: string) =>
  ({ host }: Machine) =>
    host.files.write(pathOf(domain), content)
const both = async (machine: Machine) => {
  const { host } = machine
  await host.apply(open(machine, (thing) => thing).tool, [{ path: pathOf('a.test'), content: 'old' }])
}

proveStep<Machine>('nginx.write-sites', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).steps.writeSites,
  look: async ({ host, program }) => ({
    a: (await host.files.read(pathOf('a.test'))) ?? null,
    b: (await host.files.read(pathOf('b.test'))) ?? null,
    isServed: (await open({ host, program }, (thing) => thing).detect()).healthy,
  }),
  cases: {
    'a new site': {
      args: { sites: [{ domain: 'a.test', content: 'new' }] },
      callsAsIn: 'one replaced and one new site',
      wanted: { a: stamped('new'), b: null, isServed: true },
      handEdit: put('a.test', '# by hand'),
      refusedAfter: put('a.test', '# by hand'),
    },
    'one replaced and one new site': {
      args: {
        sites: [
          { domain: 'a.test', content: 'new' },
          { domain: 'b.test', content: 'too' },
        ],
      },
      arrange: both,
      wanted: { a: stamped('new'), b: stamped('too'), isServed: true },
      handEdit: put('b.test', '# by hand'),
      refusedAfter: put('b.test', '# by hand'),
    },
    'a removed site': {
      args: { sites: [{ domain: 'a.test', content: null }] },
      arrange: both,
      wanted: { a: null, b: null, isServed: true },
      handEdit: put('a.test', stamped('old').replace('old', 'by hand')),
    },
    'a site that replaces a manually edited file': {
      args: { sites: [{ domain: 'a.test', content: 'new' }], overwrite: true },
      callsAsIn: 'one replaced and one new site',
      arrange: put('a.test', '# by hand'),
      wanted: { a: stamped('new'), b: null, isServed: true },
      handEdit: put('a.test', '# by hand again'),
    },
  },
})

const directory = `${debianLayout.logsDirectory}/a.test`
const gid = process.getgid?.() ?? 0

proveStep<Machine>('nginx.make-log-directories', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).steps.makeLogDirectories,
  look: async ({ host }) => ({
    isThere: (await host.files.facts(directory)) !== undefined,
    logs: await Promise.all(
      (await host.files.list(directory)).map(
        async (name) => `${name}: ${await host.files.read(`${directory}/${name}`)}`,
      ),
    ),
  }),
  cases: {
    'a new site': {
      args: { sites: [{ domain: 'a.test', gid }] },
      wanted: { isThere: true, logs: ['access.log: ', 'error.log: '] },
    },
    'a site with a log': {
      args: { sites: [{ domain: 'a.test', gid }] },
      arrange: async ({ host }) => {
        await host.files.makeDirectory(directory)
        await host.files.write(`${directory}/access.log`, 'old')
      },
      wanted: { isThere: true, logs: ['access.log: old', 'error.log: '] },
      handEdit: ({ host }) => host.files.write(`${directory}/error.log`, 'by hand'),
      onTop: { isThere: true, logs: ['access.log: old', 'error.log: by hand'] },
    },
  },
})

it('removes a log directory in which a killed panel left a temporary file', async (t) => {
  const machine = await makeMachine(t)
  const kind = open(machine, (thing) => thing).steps.makeLogDirectories
  const args = { sites: [{ domain: 'a.test', gid }] }
  const before = await kind.observe(args)
  await machine.host.files.makeDirectory(directory)
  const leftover = `${machine.host.files.root}${directory}/.access.log.hostreeve-new-0123456789ab`
  writeFileSync(leftover, 'cut o')
  await kind.undo(args, before)
  assert.equal(await machine.host.files.facts(directory), undefined)
})

const archived = async ({ host }: Machine) => ({
  logs: await host.files.list(directory),
  archives: await host.files.list(debianLayout.deletedLogsDirectory),
})
const log =
  (name: string) =>
  async ({ host }: Machine) => {
    await host.files.makeDirectory(directory)
    await host.files.write(`${directory}/${name}`, name)
  }

proveStep<Machine>('nginx.archive-logs', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).steps.archiveLogs,
  look: archived,
  cases: {
    'a site with logs': {
      args: { domain: 'a.test', archive: '7' },
      arrange: log('access.log'),
      wanted: { logs: [], archives: ['7'] },
      handEdit: log('error.log'),
      onTop: { logs: [], archives: ['7'] },
    },
    'a site without logs': { args: { domain: 'a.test', archive: '7' }, wanted: { logs: [], archives: [] } },
  },
})

const logsOfSites = async ({ host }: Machine) => ({
  a: await host.files.list(`${debianLayout.logsDirectory}/a.test`),
  b: await host.files.list(`${debianLayout.logsDirectory}/b.test`),
})

proveStep<Machine>('nginx.move-logs', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).steps.moveLogs,
  look: logsOfSites,
  cases: {
    'a site with logs': {
      args: { from: 'a.test', to: 'b.test' },
      arrange: log('access.log'),
      wanted: { a: [], b: ['access.log'] },
      handEdit: log('error.log'),
      onTop: { a: [], b: ['access.log', 'error.log'] },
    },
    'a site without logs': { args: { from: 'a.test', to: 'b.test' }, wanted: { a: [], b: [] } },
  },
})

const certificatePath = `${debianLayout.certificatesDirectory}/1-a.pem`
const putCertificate =
  (content: string) =>
  ({ host }: Machine) =>
    host.files.write(certificatePath, content, { rights: { mode: 0o600 } })
const kept = async ({ host }: Machine) => {
  await host.files.makeDirectory(debianLayout.certificatesDirectory)
  await putCertificate('old')({ host, program: standInNginx(host.files) })
}

const passwords = { siteId: 1, folder: '/admin/' }
const passwordsFile = passwordsPath(debianLayout, 1, '/admin/')
const ada = { username: 'ada', hash: '$6$salt$hash' }

proveStep<Machine>('nginx.write-passwords', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).steps.writePasswords,
  look: async ({ host }) => ({
    content: (await host.files.read(passwordsFile)) ?? null,
    mode: (await host.files.facts(passwordsFile))?.mode ?? null,
  }),
  cases: {
    'the first users of a folder': {
      args: { ...passwords, users: [ada] },
      arrange: ({ host }) => host.files.makeDirectory(debianLayout.passwordsDirectory),
      wanted: { content: 'ada:$6$salt$hash\n', mode: 0o640 },
      handEdit: ({ host }) => host.files.write(passwordsFile, 'bob:x\n', { rights: { mode: 0o640 } }),
    },
    'a folder that is open again': {
      args: { ...passwords, users: null },
      arrange: async ({ host }) => {
        await host.files.makeDirectory(debianLayout.passwordsDirectory)
        await host.files.write(passwordsFile, 'ada:x\n', { rights: { mode: 0o640 } })
      },
      wanted: { content: null, mode: null },
      handEdit: ({ host }) => host.files.write(passwordsFile, 'bob:x\n', { rights: { mode: 0o640 } }),
    },
  },
})

for (const user of [
  { username: 'a:b', hash: '$6$x' },
  { username: 'a\nb', hash: '$6$x' },
  { username: 'ada', hash: '$6$x\neve:' },
])
  test(`never writes the user ${JSON.stringify(user.username)} with the hash ${JSON.stringify(user.hash)}`, () => {
    assert.throws(() => renderPasswords([user]), /cannot represent/)
  })

proveStep<Machine>('nginx.write-certificate', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).steps.writeCertificate,
  look: async ({ host }) => ({
    content: (await host.files.read(certificatePath)) ?? null,
    mode: (await host.files.facts(certificatePath))?.mode ?? null,
  }),
  cases: {
    'a new certificate': {
      args: { file: '1-a.pem', content: 'new' },
      arrange: ({ host }) => host.files.makeDirectory(debianLayout.certificatesDirectory),
      wanted: { content: 'new', mode: 0o600 },
      handEdit: putCertificate('by hand'),
    },
    'a certificate that is no longer served': {
      args: { file: '1-a.pem', content: null },
      arrange: kept,
      wanted: { content: null, mode: null },
      handEdit: putCertificate('by hand'),
    },
  },
})

const pages = cacheFolder(debianLayout, 7)
const keep = async ({ host }: Machine) => {
  for (const [name, path] of Object.entries(keptPages)) {
    const folder = `${pages}/${name.at(-1)}/${name.slice(-3, -1)}`
    await host.files.makeDirectory(folder)
    const key = `http GET a.test a.test "5f-1" ${path}`
    await host.files.write(
      `${folder}/${name}`,
      `\u0005\0binary\nKEY: ${key}\nContent-type: text/html\r\n\r\n${path}`,
    )
  }
}
const keptPages = {
  '0123456789abcdef0123456789abcdef': '/hello%20you/?page=2',
  fedcba9876543210fedcba9876543210: '/other/',
}
const pageNames = async ({ host }: Machine) => {
  const found = await Promise.all(
    Object.keys(keptPages).map(async (name) => [
      name.slice(0, 2),
      (await host.files.facts(`${pages}/${name.at(-1)}/${name.slice(-3, -1)}/${name}`)) !== undefined,
    ]),
  )
  return Object.fromEntries(found)
}

proveStep<Machine>('nginx.set-cache-folder', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).steps.setCacheFolder,
  look: async ({ host }) => (await host.files.facts(pages))?.mode ?? null,
  withoutHandEdit: 'nginx alone writes in it',
  cases: {
    'a website that begins to keep pages': { args: { siteId: 7, isPresent: true }, wanted: 0o700 },
    'one that keeps none any more': {
      args: { siteId: 7, isPresent: false },
      arrange: ({ host }) => host.files.makeDirectory(pages, { mode: 0o700 }),
      wanted: null,
    },
  },
})

proveStep<Machine>('nginx.purge-cache', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).steps.purgeCache,
  look: pageNames,
  withoutHandEdit: 'final',
  cases: {
    'all pages': { args: { siteId: 7, path: null }, arrange: keep, wanted: { '01': false, fe: false } },
    'those of a path': {
      args: { siteId: 7, path: '/hello you/' },
      arrange: keep,
      wanted: { '01': false, fe: true },
    },
    'a website without pages': { args: { siteId: 7, path: null }, wanted: { '01': false, fe: false } },
  },
})
