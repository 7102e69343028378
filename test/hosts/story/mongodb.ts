import { chmod, copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { run } from '../../../src/host/run.ts'
import { ensureBuilt, findBuilt } from '../harness/built.ts'
import { type Host, indexPackages } from '../harness/index.ts'
import { must, proxies } from '../harness/outer.ts'

const server = 'SecantusDB==0.7.0b3'
const toolsModule = 'github.com/mongodb/mongo-tools'
const toolsVersion = 'v0.0.0-20240723193119-837c2bc263f4' // 100.10
const tools = ['mongodump', 'mongorestore', 'bsondump'] as const
const packages = ['mongodb-org-server', 'mongodb-database-tools'] as const

/** The version of the server's package, which is also what it answers for. */
export const mongodbVersion = '8.2.11'

/** Adds a repository to the packages of a host that has those of MongoDB. */
export async function offerMongodb(host: Host): Promise<void> {
  const built = await findBuilt('mongodb', recipe)
  const folder = join(host.rootPath, 'opt/mongodb')
  await mkdir(folder, { recursive: true })
  for (const name of packages) await copyFile(join(built, `${name}.deb`), join(folder, `${name}.deb`))
  await indexPackages(folder)
  const source = 'deb [trusted=yes] file:/opt/mongodb ./\n'
  await writeFile(join(host.rootPath, 'etc/apt/sources.list.d/mongodb.list'), source)
}

/**
 * Makes packages named as those of MongoDB, once on a machine. Their tools are the real ones; the server is
 * SecantusDB, which speaks its protocol over WiredTiger: the real one is in no registry.
 */
export async function fetchMongodb(): Promise<void> {
  await ensureBuilt('mongodb', recipe, build)
}

async function build(folder: string): Promise<void> {
  await buildTools(folder)
  await buildServer(folder)
}

async function buildTools(folder: string): Promise<void> {
  const sources = join(folder, 'sources')
  await mkdir(sources)
  await writeFile(
    join(sources, 'go.mod'),
    `module tools/mongodb\n\ngo 1.24\n\nrequire ${toolsModule} ${toolsVersion}\n`,
  )
  const settings = { CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false -mod=mod', GOTOOLCHAIN: 'local' }
  const env = { ...process.env, ...settings, PATH: `${process.env['PATH'] ?? ''}:/usr/local/go/bin` }
  for (const name of tools) {
    const out = join(folder, 'tools/usr/bin', name)
    const argv = [
      'go',
      'build',
      '-trimpath',
      '-ldflags=-s -w',
      '-o',
      out,
      `${toolsModule}/${name}/main`,
    ] as const
    const { code, stderr } = await run(argv, { cwd: sources, env, timeoutMs: 900_000 })
    if (code === 127) throw new Error('the tools of MongoDB cannot be built: Go 1.24 or later is missing')
    if (code !== 0) throw new Error(`the tools of MongoDB cannot be built: ${stderr.slice(-2000)}`)
  }
  await pack(folder, { tree: 'tools', name: 'mongodb-database-tools', version: '100.10.0' })
  await rm(sources, { recursive: true })
}

async function buildServer(folder: string): Promise<void> {
  const venv = join(folder, 'venv')
  const target = join(folder, 'server/usr/lib/secantus')
  await must(['/usr/bin/python3', '-m', 'venv', venv], { timeoutMs: 300_000 })
  const platforms = ['manylinux_2_17_x86_64', 'manylinux2014_x86_64', 'manylinux_2_28_x86_64']
  const wheels = ['--python-version=3.11', '--implementation=cp', '--only-binary=:all:']
  const pip = [join(venv, 'bin/pip'), 'install', '-q', `--target=${target}`, ...wheels] as const
  await must([...pip, ...platforms.map((each) => `--platform=${each}`), server], {
    timeoutMs: 900_000,
    env: proxies(),
  })
  await rm(venv, { recursive: true })
  for (const [path, content] of Object.entries(serverFiles)) {
    await mkdir(dirname(join(folder, 'server', path)), { recursive: true })
    await writeFile(join(folder, 'server', path), content)
  }
  await chmod(join(folder, 'server/usr/bin/mongod'), 0o755)
  await chmod(join(folder, 'server/DEBIAN/postinst'), 0o755)
  await pack(folder, {
    tree: 'server',
    name: 'mongodb-org-server',
    version: mongodbVersion,
    depends: 'python3',
  })
}

interface Packing {
  readonly tree: string
  readonly name: string
  readonly version: string
  readonly depends?: string
}

async function pack(folder: string, { tree, name, version, depends }: Packing): Promise<void> {
  const control = [
    `Package: ${name}`,
    `Version: ${version}`,
    'Architecture: amd64',
    'Maintainer: tests <tests@example.invalid>',
    ...(depends === undefined ? [] : [`Depends: ${depends}`]),
    `Description: ${name} for tests`,
  ]
  await mkdir(join(folder, tree, 'DEBIAN'), { recursive: true })
  await writeFile(join(folder, tree, 'DEBIAN/control'), `${control.join('\n')}\n`)
  const argv = ['dpkg-deb', '-Zzstd', '-z1', '--root-owner-group', '--build'] as const
  await must([...argv, join(folder, tree), join(folder, `${name}.deb`)], { timeoutMs: 300_000 })
  await rm(join(folder, tree), { recursive: true })
}

/** The files of MongoDB's package, with a program that reads the settings which the panel uses. */
const serverFiles = {
  'DEBIAN/conffiles': '/etc/mongod.conf\n',
  'DEBIAN/postinst': `#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
id mongodb >/dev/null 2>&1 || useradd --system --home-dir /var/lib/mongodb --shell /usr/sbin/nologin mongodb
install -d -o mongodb -g mongodb /var/lib/mongodb /var/log/mongodb
[ ! -d /run/systemd/system ] || systemctl daemon-reload
`,
  'etc/mongod.conf': `# mongod.conf

# Where and how to store data.
storage:
  dbPath: /var/lib/mongodb
#  engine:

# network interfaces
net:
  port: 27017
  bindIp: 127.0.0.1

#security:

#replication:
`,
  'lib/systemd/system/mongod.service': `[Unit]
Description=MongoDB Database Server
After=network.target

[Service]
User=mongodb
Group=mongodb
ExecStart=/usr/bin/mongod --config /etc/mongod.conf

[Install]
WantedBy=multi-user.target
`,
  'usr/bin/mongod': `#!/usr/bin/python3
import os, re
section, settings = '', {}
for line in open('/etc/mongod.conf'):
    found = re.match(r'^(\\s*)(\\w+):\\s*([^#\\n]*?)\\s*(?:#.*)?$', line)
    if not found:
        continue
    if found[1] == '':
        section = found[2]
    settings[section + '.' + found[2]] = found[3]
argv = ['python3', '-m', 'secantus', '--host', settings['net.bindIp'], '--port', settings['net.port'],
        '--storage-path', settings['storage.dbPath'], '--cache-size', '64M']
if settings.get('security.authorization') == 'enabled':
    argv.append('--auth')
os.environ['PYTHONPATH'] = '/usr/lib/secantus'
os.execv('/usr/bin/python3', argv)
`,
} as const

const recipe = [server, toolsModule, toolsVersion, serverFiles, 1] as const
