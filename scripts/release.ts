import { execFileSync } from 'node:child_process'
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { statementOf } from '../src/areas/selfupdate/statement.ts'

// npm run release -- --key FILE [--notes FILE] [--to DIRECTORY]: builds the panel, and writes a signed archive and the index that
// update_url names. Releases that the index has already stay in it. --make-key FILE makes a key instead.
const root = fileURLToPath(new URL('..', import.meta.url))

interface Making {
  readonly keyFile: string
  readonly notes: string
  readonly to: string
}

const { values } = parseArgs({
  options: {
    key: { type: 'string' },
    notes: { type: 'string' },
    to: { type: 'string' },
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
  makeRelease({ keyFile, notes, to: values.to ?? `${root}release` })
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

function makeRelease({ keyFile, notes, to }: Making): void {
  execFileSync(process.execPath, [`${root}scripts/build.ts`], { stdio: 'inherit' })
  const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string }
  const architecture = process.arch
  mkdirSync(to, { recursive: true })
  const name = `hostreeve-${version}-${architecture}.tar.gz`
  pack(`${to}/${name}`, architecture)
  const sha256 = createHash('sha256')
    .update(readFileSync(`${to}/${name}`))
    .digest('hex')
  const statement = statementOf({ version, architecture, sha256, notes })
  const signature = sign(null, statement, createPrivateKey(readFileSync(keyFile))).toString('base64')
  const index = `${to}/index.json`
  const former = existsSync(index)
    ? (JSON.parse(readFileSync(index, 'utf8')) as { version: string; architecture: string }[])
    : []
  const others = former.filter((each) => each.version !== version || each.architecture !== architecture)
  const entry = { version, url: name, sha256, signature, architecture, notes }
  writeFileSync(index, `${JSON.stringify([entry, ...others], null, 2)}\n`)
  process.stdout.write(`${to}/${name}\n${index}\nupdate_public_key = "${publicKeyOf(keyFile)}"\n`)
}

/** The layout is that of deploy/install.sh. */
function pack(archive: string, architecture: string): void {
  const staged = mkdtempSync(`${tmpdir()}/hostreeve-release-`)
  try {
    execFileSync('sh', [`${root}deploy/stage.sh`, root, staged], { stdio: 'inherit' })
    const about = JSON.parse(readFileSync(`${staged}/package.json`, 'utf8')) as object
    writeFileSync(`${staged}/package.json`, JSON.stringify({ ...about, architecture }, null, 2))
    const fixed = ['--format=ustar', '--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0']
    execFileSync('tar', ['--create', '--gzip', `--file=${archive}`, ...fixed, `--directory=${staged}`, '.'])
  } finally {
    rmSync(staged, { recursive: true })
  }
}
