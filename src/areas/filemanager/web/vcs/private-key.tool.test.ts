import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { keyProblem } from './private-key.ts'

describe('a private key that was pasted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'))
  after(() => rmSync(folder, { recursive: true }))
  const keyOf = (name: string, ...options: readonly string[]) => {
    execFileSync('ssh-keygen', ['-q', '-C', 'x', '-f', join(folder, name), ...options])
    return readFileSync(join(folder, name), 'utf8')
  }

  it('is taken as ssh-keygen writes it', () => {
    assert.equal(keyProblem(''), undefined)
    assert.equal(keyProblem(keyOf('plain', '-t', 'ed25519', '-N', '')), undefined)
    assert.equal(
      keyProblem(keyOf('pem', '-t', 'rsa', '-b', '2048', '-m', 'PEM', '-N', '').replaceAll('\n', '\r\n')),
      undefined,
    )
  })

  it('is refused with the reason where it is public, cut, sealed or none', () => {
    const sealed = keyOf('sealed', '-t', 'ed25519', '-N', 'a passphrase')
    assert.match(keyProblem(sealed) ?? '', /passphrase/)
    assert.match(
      keyProblem(keyOf('sealed-pem', '-t', 'rsa', '-b', '2048', '-m', 'PEM', '-N', 'a passphrase')) ?? '',
      /passphrase/,
    )
    assert.match(keyProblem(readFileSync(join(folder, 'sealed.pub'), 'utf8')) ?? '', /public key/)
    assert.match(keyProblem(sealed.slice(0, 100)) ?? '', /must end with/)
    assert.match(keyProblem('no key at all') ?? '', /must begin with/)
  })
})
