import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../../src/host/run.ts'
import { createSelfSigned } from '../../../src/host/self-signed.ts'
import { ensureBuilt, findBuilt } from '../harness/built.ts'
import type { Host } from '../harness/index.ts'

const version = '2.10.1'
const module = 'github.com/letsencrypt/pebble/v2'
const programs = ['pebble', 'pebble-challtestsrv'] as const
const directory = '/etc/pebble'

/** The address of a host with pebble, to which every name leads. */
export const pebbleAddress = '10.77.0.31'

/** The settings of a panel that has certificates issued by the pebble of its host. */
export const pebbleEnvironment = {
  HOSTREEVE_ACME_DIRECTORY: 'https://127.0.0.1:14000/dir',
  NODE_EXTRA_CA_CERTS: `${directory}/ca.crt`,
}

interface PebbleOptions {
  /** The address of the host, to which every name leads. */
  readonly address?: string
  /** With `its own`, pebble asks the name server that the test has on the host. */
  readonly nameServer?: 'for tests' | 'its own'
}

/**
 * Starts pebble, an ACME server for tests with renewal information, and a name server for its hosts: every
 * name leads to this host, which has the address. It rejects a tenth of the nonces, as a large authority does now and then.
 */
export async function startPebble(
  host: Host,
  { address = pebbleAddress, nameServer = 'for tests' }: PebbleOptions = {},
): Promise<void> {
  const built = await findBuilt('pebble', recipe)
  await mkdir(join(host.rootPath, directory), { recursive: true })
  for (const program of programs) {
    const path = join(host.rootPath, 'usr/local/bin', program)
    await copyFile(join(built, program), path)
    await chmod(path, 0o755)
  }
  const { cert, key } = await createSelfSigned('pebble', [{ type: 'ip', value: '127.0.0.1' }], new Date())
  const at = (name: string) => join(host.rootPath, directory, name)
  await writeFile(at('ca.crt'), cert)
  await writeFile(at('ca.key'), key)
  await writeFile(at('config.json'), JSON.stringify({ pebble: config }))
  if (nameServer === 'for tests') await startNameServer(host, address)
  await host.must([
    'systemd-run',
    '--unit=pebble',
    '--setenv=PEBBLE_VA_NOSLEEP=1',
    '--setenv=PEBBLE_AUTHZREUSE=0', // each order proves its names anew
    '--setenv=PEBBLE_WFE_NONCEREJECT=10',
    '/usr/local/bin/pebble',
    '-config',
    `${directory}/config.json`,
    '-dnsserver',
    '127.0.0.1:53',
  ])
  await host.must([
    'curl',
    '-sf',
    '--retry',
    '20',
    '--retry-connrefused',
    '--retry-delay',
    '1',
    '-k',
    pebbleEnvironment.HOSTREEVE_ACME_DIRECTORY,
  ])
}

async function startNameServer(host: Host, address: string): Promise<void> {
  const dns = [
    '-defaultIPv4',
    address,
    '-dnsserver',
    '127.0.0.1:53',
    '-http01',
    '',
    '-https01',
    '',
    '-tlsalpn01',
    '',
    '-doh',
    '',
  ]
  await host.must([
    'systemd-run',
    '--unit=challtestsrv',
    '/usr/local/bin/pebble-challtestsrv',
    ...dns,
    '-defaultIPv6',
    '',
  ])
}

/** Asks the name server or pebble itself to behave in another way. */
export async function command(host: Host, url: string, body: unknown): Promise<void> {
  await host.must(['curl', '-sfk', '--json', JSON.stringify(body), url])
}

const config = {
  listenAddress: '127.0.0.1:14000',
  managementListenAddress: '127.0.0.1:15000',
  certificate: `${directory}/ca.crt`,
  privateKey: `${directory}/ca.key`,
  httpPort: 80,
  tlsPort: 443,
  ocspResponderURL: '',
  externalAccountBindingRequired: false,
  retryAfter: { authz: 1, order: 1 },
  profiles: { default: { description: 'For tests', validityPeriod: 7_776_000 } },
}

const recipe = [version, programs] as const

/** Builds pebble from the Go module proxy, once on a machine; Debian's lacks renewal information. */
export async function fetchPebble(): Promise<void> {
  await ensureBuilt('pebble', recipe, build)
}

async function build(folder: string): Promise<void> {
  await writeFile(join(folder, 'go.mod'), `module tools/pebble\n\ngo 1.24\n\nrequire ${module} v${version}\n`)
  const settings = { CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false -mod=mod', GOTOOLCHAIN: 'local' }
  const env = { ...process.env, ...settings, PATH: `${process.env['PATH'] ?? ''}:/usr/local/go/bin` }
  for (const name of programs) {
    const argv = ['go', 'build', '-trimpath', '-o', join(folder, name), `${module}/cmd/${name}`] as const
    const { code, stderr } = await run(argv, { cwd: folder, env, timeoutMs: 600_000 })
    if (code === 127) throw new Error('pebble cannot be built: Go 1.24 or later is missing')
    if (code !== 0) throw new Error(`pebble cannot be built: ${stderr.slice(-2000)}`)
  }
}
