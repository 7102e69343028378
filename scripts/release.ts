import { execFileSync } from 'node:child_process'
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { statementOf } from '../src/areas/selfupdate/statement.ts'
import { assertBuiltFor, assertPackage, assertTerminals, type Platform, platformOf } from './platforms.ts'

// npm run release -- --key FILE [--notes FILE] [--to DIRECTORY] [--architecture x64|arm64] [--terminal-library FILE]: builds the
// panel, and writes a signed archive and the index that update_url names. Releases that the index has already stay in it.
// Another architecture than this machine's gets its Node from npm. --make-key FILE makes a key instead.
const root = fileURLToPath(new URL('..', import.meta.url))

interface Making {
  readonly keyFile: string
  readonly notes: string
  readonly to: string
  readonly architecture: string
  /** The library for terminals of a platform for which there is no prebuilt one. */
  readonly terminalLibrary: string | undefined
}

const { values } = parseArgs({
  options: {
    key: { type: 'string' },
    notes: { type: 'string' },
    to: { type: 'string' },
    architecture: { type: 'string' },
    'terminal-library': { type: 'string' },
    'make-key': { type: 'string' },
  },
})

if (values['make-key'] !== undefined) makeKey(values['make-key'])
else {
  const keyFile = values.key ?? process.env['HOSTREEVE_RELEASE_KEY']
  if (keyFile === undefined)
    throw new Error(
      'name the file of the private key with --key or HOSTREEVE_RELEASE_KEY; --make-key FILE makes one',
    )
  const notes = values.notes === undefined ? '' : readFileSync(values.notes, 'utf8').trim()
  const { architecture = process.arch, 'terminal-library': terminalLibrary } = values
  makeRelease({ keyFile, notes, to: values.to ?? `${root}release`, architecture, terminalLibrary })
}

function makeKey(path: string): void {
  const { privateKey } = generateKeyPairSync('ed25519')
  writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
  process.stdout.write(`update_public_key = "${publicKeyOf(path)}"\n`)
}

/** The 32 bytes that the setting update_public_key has, in base64. */
function publicKeyOf(keyFile: string): string {
  const { x = '' } = createPublicKey(readFileSync(keyFile)).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('base64')
}

function makeRelease({ keyFile, notes, to, architecture, terminalLibrary }: Making): void {
  const platform = platformOf(architecture)
  execFileSync(process.execPath, [`${root}scripts/build.ts`], { stdio: 'inherit' })
  const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string }
  mkdirSync(to, { recursive: true })
  const name = `hostreeve-${version}-${architecture}.tar.gz`
  pack(`${to}/${name}`, { architecture, platform, terminalLibrary })
  const sha256 = createHash('sha256')
    .update(readFileSync(`${to}/${name}`))
    .digest('hex')
  const statement = statementOf({ version, architecture, sha256, notes })
  const signed = sign(null, statement, createPrivateKey(readFileSync(keyFile)))
  writeFileSync(`${to}/${name}.statement`, statement) // these two are for a first installation, by openssl
  writeFileSync(`${to}/${name}.signature`, signed)
  const signature = signed.toString('base64')
  const index = `${to}/index.json`
  const former = existsSync(index)
    ? (JSON.parse(readFileSync(index, 'utf8')) as { version: string; architecture: string }[])
    : []
  const others = former.filter((each) => each.version !== version || each.architecture !== architecture)
  const entry = { version, url: name, sha256, signature, architecture, notes }
  writeFileSync(index, `${JSON.stringify([entry, ...others], null, 2)}\n`)
  process.stdout.write(`${to}/${name}\n${index}\nupdate_public_key = "${publicKeyOf(keyFile)}"\n`)
}

interface Packing extends Pick<Making, 'architecture' | 'terminalLibrary'> {
  readonly platform: Platform
}

/** The layout is that of deploy/install.sh. */
function pack(archive: string, { architecture, platform, terminalLibrary }: Packing): void {
  const staged = mkdtempSync(`${tmpdir()}/hostreeve-release-`)
  try {
    execFileSync('sh', [`${root}deploy/stage.sh`, root, staged], { stdio: 'inherit' })
    if (architecture !== process.arch) takeNode(platform, `${staged}/bin/node`)
    const library = `${staged}/dist/pty.node`
    assertTerminals(platform, existsSync(library))
    if (!platform.hasTerminals) rmSync(library, { force: true })
    if (terminalLibrary !== undefined) copyFileSync(terminalLibrary, library)
    for (const file of [`${staged}/bin/node`, ...(existsSync(library) ? [library] : [])])
      assertBuiltFor(platform, file, startOf(file))
    const about = JSON.parse(readFileSync(`${staged}/package.json`, 'utf8')) as object
    writeFileSync(`${staged}/package.json`, JSON.stringify({ ...about, architecture }, null, 2))
    const fixed = ['--format=ustar', '--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0']
    execFileSync('tar', ['--create', '--gzip', `--file=${archive}`, ...fixed, `--directory=${staged}`, '.'])
  } finally {
    rmSync(staged, { recursive: true })
  }
}

/** Replaces the Node of this machine by that of the platform, from its package, whose checksum is declared. */
function takeNode({ node }: Platform, to: string): void {
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-node-`)
  try {
    const argv = ['pack', `${node.name}@${node.version}`, '--silent', `--pack-destination=${folder}`]
    execFileSync('npm', argv, { stdio: ['ignore', 'ignore', 'inherit'] })
    const archive = `${folder}/${node.name}-${node.version}.tgz`
    assertPackage(node, readFileSync(archive))
    execFileSync('tar', ['--extract', `--file=${archive}`, `--directory=${folder}`, 'package/bin/node'])
    copyFileSync(`${folder}/package/bin/node`, to)
    chmodSync(to, 0o755)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function startOf(file: string): Buffer {
  const start = Buffer.alloc(64)
  const descriptor = openSync(file, 'r')
  try {
    return start.subarray(0, readSync(descriptor, start, 0, start.length, 0))
  } finally {
    closeSync(descriptor)
  }
}
