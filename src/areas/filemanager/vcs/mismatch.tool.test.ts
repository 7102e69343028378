import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Problem } from '../../../core/problem.ts'
import { parseRemoteUrl } from '../../../host/owner/git/index.ts'
import { refuseMismatch } from './mismatch.ts'

const ssh = parseRemoteUrl('git@git.example.com:shop.git')
const https = parseRemoteUrl('https://git.example.com/shop.git')

function keyWith(phrase: string, ...more: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'))
  try {
    execFileSync('ssh-keygen', ['-q', ...more, '-N', phrase, '-f', join(folder, 'key')])
    return readFileSync(join(folder, 'key'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('credentials for an address', () => {
  it('are rejected if they do not fit the scheme or are not a key', () => {
    for (const [url, credentials, why] of [
      [ssh, { login: 'git', password: 'x' }, /private_key: is required/],
      [https, { login: 'git', private_key: 'x' }, /password: is required/],
      [ssh, { login: 'git', private_key: 'no key' }, /must be a private key/],
    ] as const)
      assert.throws(() => refuseMismatch(url, credentials), why)
  })

  it('must be keys without a passphrase, because the panel does not prompt for one', () => {
    for (const form of [
      ['-t', 'ed25519'],
      ['-t', 'rsa', '-m', 'PEM'],
      ['-t', 'rsa', '-m', 'PKCS8'],
    ]) {
      refuseMismatch(ssh, { login: 'git', private_key: keyWith('', ...form) })
      const locked = { login: 'git', private_key: keyWith('a phrase', ...form) }
      assert.throws(
        () => refuseMismatch(ssh, locked),
        (error) => error instanceof Problem && /has a passphrase/.test(error.message),
        form.join(' '),
      )
    }
  })
})
